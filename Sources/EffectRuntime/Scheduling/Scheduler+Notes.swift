// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// Without a listener, those that are called for each event cost one comparison.
extension Scheduler {
  /// Something happens to the work of a slot.
  mutating func note(_ index: Int32, _ event: TraceRun.Event) {
    guard notes.isOn, let run = traced(index) else { return }
    // Something happens to a run that was handed over: either its closure was called, or it never will be.
    if let closure = notes.takeHandedOver(index), closure.body.cancelUnlessCalled() { noteStart(of: closure) }
    notes.add(run, event)
  }

  /// A task is about to call a closure. Nothing is noted about a closure that was cancelled meanwhile: its start has
  /// been noted already.
  @usableFromInline
  mutating func noteCall(of token: Token) {
    guard workTree.contains(token), let closure = notes.takeHandedOver(token.slot) else { return }
    noteStart(of: closure)
  }

  /// Notes that a run sleeps on the clock until a moment. Ignored if the run has ended.
  mutating func noteSleep(of token: Token, until time: Duration) {
    if workTree.contains(token) { note(token.slot, .sleeping(until: time)) }
  }

  private mutating func noteStart(of closure: TraceNotes.HandOver) {
    guard let run = traced(closure.token.slot) else { return }
    notes.add(run, .started(attempt: closure.attempt), after: closure.cause)
  }

  /// The run of a slot, as notes mention it.
  mutating func traced(_ index: Int32) -> TraceRun? {
    if let run = notes[index] { return run }
    guard let run = made(workTree[index]) else { return nil }
    notes.set(run, of: index)
    return run
  }

  /// Notes a written `cancel` by id or ids that is about to match nothing (rule V1). A cancel of a scope, of a type or
  /// of everything means the work that there is, so it may match nothing.
  mutating func noteUnmatched(_ target: Cancellation, within branch: Token) {
    switch target {
    case .id(let id): if !id.isImplied, !isReached(id) { noteUnmatched([id], within: branch) }
    // Without an id there is nothing to name.
    case .ids(let ids): if !ids.isEmpty, !ids.contains(where: isReached) { noteUnmatched(ids, within: branch) }
    case .scope, .matching, .everything: break
    }
  }

  private mutating func noteUnmatched(_ ids: Set<EffectID>, within branch: Token) {
    let inside = Set(ids.flatMap { presentIDs(inside: $0) })
    let later = looksForLaterWork ? laterWork(of: ids, sparing: branch) : nil
    let similar = inside.isEmpty ? presentIDs(similarTo: ids) : []
    notes.add(UnmatchedCancel(ids, inside: inside, similar: similar, later: later?.description))
  }

  /// The line of work that begins later: in a part to come of a `concatenate`, or in a tree that is queued. The sequences that the
  /// cancel is a part of do not count: what they start after it is meant to begin.
  private func laterWork(of ids: Set<EffectID>, sparing branch: Token) -> CallSite? {
    for index in inside(NameDirectory.root, sparing: branch) {
      switch workTree[index] {
      case .sequence(let node):
        if let site = node.firstWork(of: ids, from: Int(workTree.position(of: index))) { return site }
      case .tree(let node, _) where workTree.phase(of: index) == .queued:
        if let site = node.firstWork(of: ids, from: 0) { return site }
      case .none, .run, .tree, .dispatch, .share, .joined: break
      }
    }
    return nil
  }

  /// Whether a cancel of an id reaches anything: work that is active, queued or waits for its time, or a window.
  private func isReached(_ id: EffectID) -> Bool {
    guard let place = names.find(id) else { return false }
    return names.hasPresentWork(at: place) || names.hasWindow(at: place)
  }

  /// The ids of work that a cancel of `id` would reach, were it written in a child.
  private func presentIDs(inside id: EffectID) -> [EffectID] {
    guard let scope = names.findScope(of: id) else { return [] }
    return names.places(inside: scope).compactMap { place in
      guard names.hasPresentWork(at: place), let work = names.presentWork(at: place).first,
        let other = self.id(of: work), other.leaf.isSameName(as: id.leaf)
      else { return nil }
      return other
    }
  }

  /// The ids of work that a misspelt cancel may mean. Nothing is searched for among many ids: that would take long, and features
  /// with many ids make them of data.
  private func presentIDs(similarTo ids: Set<EffectID>) -> Set<EffectID> {
    guard names.count <= 32 else { return [] }
    var found: Set<EffectID> = []
    for place in names.places(inside: NameDirectory.root) where names.hasPresentWork(at: place) {
      guard let work = names.presentWork(at: place).first, let other = id(of: work) else { continue }
      if ids.contains(where: { EditDistance.areSimilar($0, other) }) { found.insert(other) }
    }
    return found
  }

  /// Something happens to work that has no slot. To be called only while there is a listener.
  mutating func note(_ work: Slots.Work, _ event: TraceRun.Event) {
    guard let run = made(work) else { return }
    notes.add(run, event)
  }

  private mutating func made(_ work: Slots.Work) -> TraceRun? {
    guard let description = description(of: work) else { return nil }
    let isTree = if case .tree = work { true } else { false }
    return notes.make(description, isTree: isTree)
  }

  /// The run that sent an action, by the token; `nil` if the run has returned or the attempt has ended.
  @usableFromInline
  package mutating func tracedSender(_ token: Token) -> TraceRun? {
    if let closure = attempts.closure(of: token) { return notes[closure] }
    return workTree.contains(token) ? traced(token.slot) : nil
  }
}
