// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Scheduler {
  /// A closure has returned or thrown: one path for success, error and cancellation.
  ///
  /// Opens a turn, because work that waited for the run continues now. It is a turn of the run's dispatch, unless the
  /// run was cancelled or others have joined it.
  @usableFromInline
  mutating func ended(_ token: Token, error: (any Error)?, retryAfter wait: Duration?) {
    guard workTree.contains(token) else { return abandonedReturned(token) }
    let index = token.slot
    switch workTree.phase(of: index) {
    case .running:
      guard case .run = workTree[index] else { return }
      openTurn(of: index)
      if workTree.isTimed(index) { time.clearAlarm(of: index) }
      if let error {
        failed(index, error, retryAfter: wait)
      } else {
        settleRun(index, forgetCaught(index).map { .handled($0) } ?? .finished)
      }
    case .cancelling:
      // An error of a cancelled run is ignored. The token decides, not the type of the error (rule E4).
      openTurn()
      inOrder { $0.returned(index) }
    case .free, .waiting, .queued, .starting:
      fatalError("Scheduler: ended() in phase \(workTree.phase(of: index)); bug in EffectRuntime, please report")
    }
  }

  /// Takes the error whose `catch` closure has returned, or was cancelled. Its release may run user code, so the shell
  /// releases it.
  @discardableResult
  mutating func forgetCaught(_ index: Int32) -> (any Error)? {
    guard let error = caught.remove(of: index) else { return nil }
    released.append(Released(error))
    return error
  }

  /// An active run has ended by itself, with this outcome: notes it, frees its place and its slot.
  mutating func settleRun(_ index: Int32, _ outcome: EffectOutcome) {
    noteEnd(index, outcome)
    inOrder { scheduler in
      if scheduler.workTree.isTimed(index) { scheduler.forgetTime(of: index) }
      if scheduler.workTree.isNamed(index) { scheduler.leavePlace(index) } else { scheduler.leaveScope(index) }
      scheduler.settle(index)
    }
  }

  /// Settles work that has left its place: for its branch first, then for the joiners, in the order in which they
  /// joined (rule O5). Frees the slot.
  mutating func settle(_ index: Int32) {
    workTree.leaveBranch(index)
    steps.append(.settled(workTree.parent(of: index)))
    settleJoiners(of: index)
    free(index)
  }

  /// One part of a branch has settled. If it was the last, a sequence goes on, a tree settles, a dispatch is finished.
  mutating func partSettled(of branch: Token) {
    guard workTree.isActive(branch), workTree.settlePart(of: branch.slot) else { return }
    let index = branch.slot
    switch workTree[index] {
    case .sequence:
      advance(index)
    case .tree:
      noteEnd(index, .finished)
      inOrder { scheduler in
        scheduler.names.treeClosed(at: scheduler.workTree.place(of: index))
        scheduler.leavePlace(index)
        scheduler.settle(index)
      }
    case .dispatch(let number):
      finish(index, number)
    case .share:
      inOrder { $0.settleJoiners(of: index) }
      workTree.removeShare(index)
    case .none, .run, .joined:
      fatalError("Scheduler: a run has no parts; bug in EffectRuntime, please report")
    }
  }

  private mutating func finish(_ index: Int32, _ number: UInt64) {
    // Checked first, because an empty dictionary computes the hash all the same.
    if !waits.isEmpty, let waiters = waits.settled(workTree.token(index)) {
      let outcomes = takeOutcomes(of: number)
      for waiter in waiters { outputs.append(.settle(waiter, outcomes)) }
    }
    workTree.removeDispatch(index)
  }

  /// The closure of a cancelled run has returned: it leaves. A cancelled tree around it leaves as well if it waits for
  /// nothing else.
  mutating func returned(_ index: Int32) {
    var next = index
    while next >= 0 {
      let left = next
      next = -1
      if notes.isOn, case .run = workTree[left] { note(left, .returned) }
      if workTree.isNamed(left) {
        let place = workTree.place(of: left)
        statusWillChange(left)
        names.returned(left, at: place, keptSlot: workTree.keepsSlot(left))
        steps.append(.refill(place))
      }
      let parent = workTree.parent(of: left)
      if workTree.contains(parent) {
        workTree.leaveBranch(left)
        if workTree.phase(of: parent.slot) == .cancelling {
          if workTree.settlePart(of: parent.slot) { next = parent.slot }
        } else {
          steps.append(.settled(parent))
        }
      }
      free(left)
    }
  }
}

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
    guard let index = closure(of: token), case .run(let operation) = workTree[index] else { return .toAll }
    let parent = workTree.parent(of: index)
    switch workTree.phase(of: index) {
    case .running:
      // A `catch` closure has left its slot, and has no deadline.
      let isRecovering = workTree.isRecovering(index)
      if workTree.isTimed(index), !isRecovering { return .toAll }
      // Without a `catch` it is a failure at once, which ends the schedule.
      if hasError { return operation.isCatching && !isRecovering ? .toAll : .none }
      guard workTree.contains(parent), case .dispatch = workTree[parent.slot] else { return .toAll }
      if workTree.waitsForReturn(index) || sharedRuns.isShared(index) { return .toAll }
      if !workTree.isNamed(index) || operation.overlap.ignoresEnds { return .none }
      let counts = names.counts(at: workTree.place(of: index))
      return counts.queued + counts.waiting == 0 ? .toTurns : .toAll
    case .cancelling:
      // The next attempt of an exclusive run waits for the closure of the one before.
      let isAwaited = index != token.slot && operation.overlap.exclusive
      return parent == .none && !workTree.keepsSlot(index) && !isAwaited ? .none : .toAll
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
