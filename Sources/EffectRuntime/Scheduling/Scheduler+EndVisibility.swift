// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// For which events it matters whether they are handled before or after the end of a closure. A shell that tries every
/// order need not try the orders that make no difference.
@usableFromInline
package enum EndVisibility: Sendable {
  /// For no event that such a shell can cause meanwhile, as long as all work of one id declares one overlap.
  case none
  /// Only for events that reduce an action or handle another end. What runs do is the same before and after.
  case toTurns
  /// For all events: the end may cancel or start runs.
  case toAll
}

extension Scheduler {
  /// For which events it matters when the end of a closure is handled, from now on until the next turn.
  ///
  /// For none if nothing waits for the end, nothing else settles with it, and no overlap depends on it. No overlap
  /// depends on it without an id, under `.concurrent`, which counts no runs, and under `.restart` with a limit of one,
  /// which starts a new run in any case unless it is exclusive. Only for turns if work that arrives would meet the run,
  /// and no work waits yet.
  @usableFromInline
  package func visibilityOfEnd(of token: Token, hasError: Bool) -> EndVisibility {
    guard workTree.contains(token), case .run(let operation) = workTree[token.slot] else { return .toAll }
    let index = token.slot
    if workTree.isTimed(index) { return .toAll }
    let parent = workTree.parent(of: index)
    switch workTree.phase(of: index) {
    case .running:
      // Without a `catch` it is a failure at once, which ends the schedule.
      if hasError { return operation.isCatching ? .toAll : .none }
      guard workTree.contains(parent), case .dispatch = workTree[parent.slot] else { return .toAll }
      if workTree.waitsForReturn(index) || sharedRuns.isShared(index) { return .toAll }
      if !workTree.isNamed(index) || operation.overlap.ignoresEnds { return .none }
      let counts = names.counts(at: workTree.place(of: index))
      return counts.queued + counts.waiting == 0 ? .toTurns : .toAll
    case .cancelling:
      return parent == .none && !workTree.keepsSlot(index) ? .none : .toAll
    case .free, .waiting, .queued, .starting:
      return .toAll
    }
  }
}

extension Overlap {
  /// Whether it decides the same about work that arrives, before and after the end of a returned closure is handled.
  fileprivate var ignoresEnds: Bool {
    switch kind {
    case .restart: limit == 1 && !exclusive
    case .queue: limit == .max
    case .join: false
    }
  }
}
