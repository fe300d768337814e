// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What a registry notes of runs while somebody listens, and the numbers of all events of a store.
@usableFromInline
struct TraceNotes: Sendable {
  /// Whether anybody listens; otherwise nothing is noted.
  @usableFromInline private(set) var isOn = false
  /// The number of the event whose consequences are being noted; `nil` if it lies outside of the store.
  @usableFromInline var cause: UInt64?
  @usableFromInline var list: [TraceNote] = []
  /// Whether actions of the turn were dropped; those who keep them know their type.
  @usableFromInline var hasDrops = false
  private var lastNumber: UInt64 = 0
  private var lastRun: UInt64 = 0
  /// Those that have been told of, by their slots.
  private var runs: [TraceRun?] = []
  /// Whether the shell says when a closure is called. Otherwise it is as soon as it has been handed over.
  var areCallsReported = false
  /// Closures that were handed over and of which nobody knows whether they were called, by their slots.
  private var handedOver: [Int32: HandOver] = [:]

  /// A closure that was handed over to tasks.
  struct HandOver: Sendable {
    let token: Token
    let attempt: Int
    /// The number of the event that brought it about.
    let cause: UInt64?
    let body: RunTask
  }

  /// Numbers the next event.
  @usableFromInline
  mutating func next() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Whether the event that tells of a run first has been told.
  @usableFromInline
  func hasTold(_ run: TraceRun) -> Bool { run.birth > 0 && run.birth <= lastNumber }

  /// Somebody listens, or nobody does any more. The numbers go on.
  mutating func turn(on isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    cause = nil
    list = []
    hasDrops = false
    runs = []
    handedOver = [:]
  }

  mutating func handOver(_ closure: HandOver) { handedOver[closure.token.slot] = closure }

  /// The closure of a slot that was handed over, if nobody knows whether it was called; from now on somebody does.
  mutating func takeHandedOver(_ index: Int32) -> HandOver? {
    handedOver.isEmpty ? nil : handedOver.removeValue(forKey: index)
  }

  /// The run in a slot, if it has been told of.
  subscript(index: Int32) -> TraceRun? { index >= 0 && index < runs.count ? runs[Int(index)] : nil }

  /// A run that is told of for the first time, next.
  mutating func make(_ description: EffectRun, isTree: Bool) -> TraceRun {
    lastRun += 1
    return TraceRun(number: lastRun, description: description, isTree: isTree, birth: lastNumber + 1)
  }

  mutating func set(_ run: TraceRun, of index: Int32) {
    while runs.count <= index { runs.append(nil) }
    runs[Int(index)] = run
  }

  mutating func forget(_ index: Int32) {
    if index < runs.count { runs[Int(index)] = nil }
    if !handedOver.isEmpty { handedOver[index] = nil }
  }

  mutating func add(_ run: TraceRun, _ event: TraceRun.Event, after known: UInt64? = nil) {
    let number = next()
    let cause = known ?? cause ?? (run.birth < number ? run.birth : nil)
    list.append(TraceNote(number: number, cause: cause, content: .run(run, event)))
    // That a closure was called causes nothing, even where it is noted late, in front of the end of its run.
    if case .started = event { return }
    // What ended by itself is what the next run in the queue starts after.
    if self.cause == nil { self.cause = number }
  }

  mutating func add(_ unmatched: UnmatchedEffect) {
    list.append(TraceNote(number: next(), cause: cause, content: .unmatched(unmatched)))
  }
}

/// Something that happened in a registry.
@usableFromInline
package struct TraceNote: Sendable {
  package let number: UInt64
  package let cause: UInt64?
  package let content: Content

  package enum Content: Sendable {
    case run(TraceRun, TraceRun.Event)
    case unmatched(UnmatchedEffect)
  }

  /// The note as an event.
  package func kind<Action>(of type: Action.Type) -> TraceEvent<Action>.Kind {
    switch content {
    case .run(let run, let event): .run(run, event)
    case .unmatched(let effect): .unmatched(effect)
    }
  }
}

// MARK: - Noting

extension Registry {
  /// Something happens to the work of a slot. Costs a comparison where nobody listens.
  mutating func note(_ index: Int32, _ event: TraceRun.Event) {
    guard notes.isOn, let run = traced(index) else { return }
    // Something happens to a run that was handed over: either its closure was called, or it never will be.
    if let closure = notes.takeHandedOver(index), closure.body.wasCalled() { noteStart(of: closure) }
    notes.add(run, event)
  }

  /// A closure has been handed over to tasks, one of which says so when it calls it.
  @usableFromInline
  mutating func noteHandOver(of token: Token, to body: RunTask) {
    guard notes.isOn else { return }
    notes.handOver(
      TraceNotes.HandOver(token: token, attempt: attempt(of: token.slot), cause: notes.cause, body: body))
  }

  /// A task is about to call a closure. Nothing is noted of one that was cancelled meanwhile: that it has started has been.
  @usableFromInline
  mutating func noteCall(of token: Token) {
    guard slots.contains(token), let closure = notes.takeHandedOver(token.slot) else { return }
    noteStart(of: closure)
  }

  private mutating func noteStart(of closure: TraceNotes.HandOver) {
    guard let run = traced(closure.token.slot) else { return }
    notes.add(run, .started(attempt: closure.attempt), after: closure.cause)
  }

  /// The run of a slot as it is told of.
  mutating func traced(_ index: Int32) -> TraceRun? {
    if let run = notes[index] { return run }
    guard let run = made(slots[index].work) else { return nil }
    notes.set(run, of: index)
    return run
  }

  /// Notes a written `cancel` or `flush` by id or ids that is about to match nothing (rule V1). Those by scope, type or
  /// everything mean what there is, whatever that is.
  mutating func noteUnmatched(_ target: Cancellation) {
    switch target {
    case .id(let id): if !id.isImplied, !isReached(id) { notes.add(UnmatchedEffect(.cancel, [id])) }
    case .queued(let id): if !isWaiting(id) { notes.add(UnmatchedEffect(.cancelQueued, [id])) }
    // Without an id there is nothing to name.
    case .ids(let ids): if !ids.isEmpty, !ids.contains(where: isReached) { notes.add(UnmatchedEffect(.cancel, ids)) }
    case .scope, .matching, .everything: break
    }
  }

  /// Whether a cancel of an id reaches anything: work that is active, queued or waits for its time, or a window.
  private func isReached(_ id: EffectID) -> Bool {
    guard let place = directory.find(id) else { return false }
    return !directory[place].live.isEmpty || isWaiting(id) || directory[place].hasWindow
  }

  private func isWaiting(_ id: EffectID) -> Bool {
    guard let place = directory.find(id) else { return false }
    return !directory[place].queue.isEmpty || !directory[place].waiting.isEmpty || !waitingMembers(at: place).isEmpty
  }

  /// Likewise for a `flush`, which reaches what waits for its time, and windows.
  mutating func noteUnmatchedFlush(_ id: EffectID) {
    guard notes.isOn else { return }
    if let place = directory.find(id) {
      guard directory[place].waiting.isEmpty, waitingMembers(at: place).isEmpty, !directory[place].hasWindow else {
        return
      }
    }
    notes.add(UnmatchedEffect(.flush, [id]))
  }

  mutating func note(_ work: Slots.Work, _ event: TraceRun.Event) {
    guard let run = made(work) else { return }
    notes.add(run, event)
  }

  private mutating func made(_ work: Slots.Work) -> TraceRun? {
    guard let description = description(of: work) else { return nil }
    let isTree = if case .tree = work { true } else { false }
    return notes.make(description, isTree: isTree)
  }

  /// In whose name an action came; `nil` if that run is gone.
  @usableFromInline
  mutating func tracedSender(_ token: Token) -> TraceRun? {
    if let closure = timing.abandoned[token] { return notes[closure] }
    return slots.contains(token) ? traced(token.slot) : nil
  }
}
