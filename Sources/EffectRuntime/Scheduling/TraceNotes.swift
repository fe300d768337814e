// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What the scheduler notes about runs while there is a listener, and the numbers of all events of a store.
@usableFromInline
struct TraceNotes: Sendable {
  /// Whether there is a listener; otherwise nothing is noted.
  @usableFromInline private(set) var isOn = false
  /// The number of the event whose consequences are being noted; `nil` if it lies outside of the store.
  @usableFromInline var cause: UInt64?
  private var notes: [TraceEvent<Never>] = []
  /// Whether anything has been noted since ``take()``.
  @usableFromInline private(set) var hasNotes = false
  private var lastNumber: UInt64 = 0
  private var lastRun: UInt64 = 0
  /// The runs that notes have mentioned, by their slots.
  private var runs: [TraceRun?] = []
  private var shellReportsCalls = false
  /// Closures that were handed over and may not have been called yet, by their slots.
  private var handedOver: [Int32: HandOver] = [:]

  /// A closure that was handed over to tasks.
  struct HandOver: Sendable {
    let token: Token
    let attempt: Int
    /// The number of the event that caused it.
    let cause: UInt64?
    let body: any ClosureOfRun
  }

  /// Numbers the next event.
  @usableFromInline
  mutating func next() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Whether the event that mentions a run first has its number by now.
  @usableFromInline
  func hasReported(_ run: TraceRun) -> Bool { run.birth > 0 && run.birth <= lastNumber }

  /// Whether the shell reports when a closure is called. Otherwise it counts as called when it has been handed over.
  var areCallsReported: Bool { shellReportsCalls }

  /// The shell reports when it calls a closure, from now on.
  mutating func reportCalls() { shellReportsCalls = true }

  /// Returns what was noted since the last call.
  @usableFromInline
  mutating func take() -> [TraceEvent<Never>] {
    hasNotes = false
    var taken: [TraceEvent<Never>] = []
    swap(&taken, &notes)
    return taken
  }

  private mutating func append(_ note: TraceEvent<Never>) {
    notes.append(note)
    hasNotes = true
  }

  /// From now on there is a listener, or there is none. The numbers go on.
  mutating func turn(on isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    cause = nil
    _ = take()
    runs = []
    handedOver = [:]
  }

  /// Keeps a closure that was handed over, until ``takeHandedOver(_:)``.
  mutating func handOver(_ closure: HandOver) { handedOver[closure.token.slot] = closure }

  /// Removes the closure of a slot that was handed over and may not have been called yet.
  mutating func takeHandedOver(_ index: Int32) -> HandOver? {
    handedOver.isEmpty ? nil : handedOver.removeValue(forKey: index)
  }

  /// The run in a slot, if a note has mentioned it.
  subscript(index: Int32) -> TraceRun? { index >= 0 && index < runs.count ? runs[Int(index)] : nil }

  /// A run that the next note mentions first.
  mutating func make(_ description: EffectRun, isTree: Bool) -> TraceRun {
    lastRun += 1
    return TraceRun(number: lastRun, description: description, isTree: isTree, birth: lastNumber + 1)
  }

  /// Keeps the run in a slot, for later notes.
  mutating func set(_ run: TraceRun, of index: Int32) {
    while runs.count <= index { runs.append(nil) }
    runs[Int(index)] = run
  }

  /// Removes what is kept of a slot, because it is freed.
  mutating func forget(_ index: Int32) {
    if index < runs.count { runs[Int(index)] = nil }
    if !handedOver.isEmpty { handedOver[index] = nil }
  }

  /// Releases what is kept of the slots from the given one on, which are free.
  mutating func shrink(to count: Int) {
    if runs.count > count { runs = Array(runs[..<count]) }
  }

  /// Notes an event of a run.
  ///
  /// - Parameter known: the number of the event that it follows from; `nil` for the event at hand, or else the one that
  ///   mentioned the run first.
  mutating func add(_ run: TraceRun, _ event: TraceRun.Event, after known: UInt64? = nil) {
    let number = next()
    let cause = known ?? cause ?? (run.birth < number ? run.birth : nil)
    append(TraceEvent(number: number, cause: cause, kind: .run(run, event)))
    // The call of a closure is no cause, also if it is noted late, just before the end of its run.
    if case .started = event { return }
    // A run that ended by itself is the cause of the start of the next run in the queue.
    if self.cause == nil { self.cause = number }
  }

  /// Notes a cancel that matched nothing.
  mutating func add(_ unmatched: UnmatchedCancel) {
    append(TraceEvent(number: next(), cause: cause, kind: .unmatched(unmatched)))
  }
}

extension Scheduler {
  /// A closure has been handed over to tasks, one of which reports when it calls it.
  @usableFromInline
  mutating func noteHandOver(of token: Token, to body: any ClosureOfRun) {
    guard notes.isOn else { return }
    notes.handOver(
      TraceNotes.HandOver(token: token, attempt: attempt(of: token.slot), cause: notes.cause, body: body))
  }
}
