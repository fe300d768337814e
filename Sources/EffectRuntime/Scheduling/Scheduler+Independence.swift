// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What can tell when the end of a closure is taken, for a shell that tries every order: what cannot need not be tried.
@usableFromInline
package enum EndVisibility: Sendable {
  /// Nothing that such a shell can do meanwhile, as long as all work of one id declares one overlap.
  case none
  /// Only what reduces an action or takes another end; what runs do is the same before and after.
  case toTurns
  /// Anything: runs may be cancelled or started by the end.
  case toAll
}

extension Scheduler {
  /// Who can tell when the end of a closure is taken, from now on until the next turn.
  ///
  /// Nothing can where nothing waits for the end, nothing else settles with it, and no overlap decides by it: without an
  /// id, under `.concurrent`, which counts no runs, and under `.restart` with a limit of one, which cancels a run that is
  /// over and starts the new one all the same. Only turns can where work that arrives meets the run, and none waits yet.
  func visibilityOfEnd(of token: Token, hasError: Bool) -> EndVisibility {
    guard workTree.contains(token), case .run(let operation) = workTree[token.slot] else { return .toAll }
    let index = token.slot
    if workTree.isTimed(index) { return .toAll }
    let parent = workTree.parent(of: index)
    switch workTree.phase(of: index) {
    case .running:
      // Without a `catch` it is a failure at once, and nothing comes behind that.
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
  /// Whether it decides the same about work that arrives, be a run over whose closure has returned or not.
  fileprivate var ignoresEnds: Bool {
    switch kind {
    case .concurrent: limit == .max
    case .restart: limit == 1 && !exclusive
    case .drop, .enqueue, .keepLatest, .join: false
    }
  }
}

extension Interpreter {
  /// Who can tell when the end of a closure is taken, from now on until the next turn.
  @usableFromInline
  package func visibilityOfEnd(of token: Token, hasError: Bool) -> EndVisibility {
    scheduler.visibilityOfEnd(of: token, hasError: hasError)
  }
}
