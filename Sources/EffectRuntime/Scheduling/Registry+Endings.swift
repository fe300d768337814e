// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Registry {
  /// The shell is about to make the task of a run: hands out the operation, or nothing if the run is cancelled by now.
  @usableFromInline
  mutating func started(_ token: Token) -> (any AnyOperation)? {
    guard slots.contains(token), slots[token.slot].phase == .starting, case .run(let operation) = slots[token.slot].work
    else { return nil }
    slots[token.slot].phase = .running
    if let timing = operation.timing { attemptStarted(token.slot, timing) }
    if notes.isOn, !notes.areCallsReported { note(token.slot, .started(attempt: attempt(of: token.slot))) }
    return operation
  }

  /// A closure has returned or thrown: one path for success, error and cancellation.
  ///
  /// Opens a turn of the run's dispatch, because what waited behind the run goes on now.
  @usableFromInline
  mutating func ended(_ token: Token, error: (any Error)?, mayRetry: Bool) {
    guard slots.contains(token) else { return abandonedReturned(token) }
    let index = token.slot
    switch slots[index].phase {
    case .running:
      guard case .run = slots[index].work else { return }
      openTurn(of: index)
      if slots[index].isTimed { clearAlarm(of: index) }
      if let error {
        failed(index, error, mayRetry: mayRetry)
      } else {
        settleRun(index, forgetCaught(index).map { .handled($0) } ?? .finished)
      }
    case .cancelling:
      // Whatever a cancelled run throws is swallowed, by token and not by the error's type (rule E4).
      openTurn()
      inOrder { $0.returned(index) }
    case .free, .waiting, .queued, .starting:
      fatalError("Registry: ended() in phase \(slots[index].phase); bug in EffectRuntime, please report")
    }
  }

  /// Takes the error whose `catch` closure has returned, or was cancelled. Its release may run user code, so the shell does it.
  @discardableResult
  mutating func forgetCaught(_ index: Int32) -> (any Error)? {
    // Asked first, because an empty dictionary computes the hash all the same.
    guard !caught.isEmpty, let error = caught.removeValue(forKey: index) else { return nil }
    released.append(Released(error))
    return error
  }

  mutating func settleRun(_ index: Int32, _ outcome: EffectOutcome) {
    noteEnd(index, outcome)
    inOrder { registry in
      if registry.slots[index].isTimed { registry.attemptsOver(index) }
      if registry.slots[index].isNamed { registry.leavePlace(index, outcome) } else { registry.leaveScope(index) }
      registry.settle(index)
    }
  }

  /// Work that has left its place and needs no more settles: its branch first, then those that joined, in the order in
  /// which they did (rule O1). Frees the slot.
  mutating func settle(_ index: Int32) {
    leaveBranch(index)
    steps.append(.settled(slots[index].parent))
    settleJoiners(of: index)
    free(index)
  }

  /// One part of a branch has settled; at the last a sequence goes on, a tree settles, a dispatch is finished.
  mutating func partSettled(of branch: Token) {
    guard slots.contains(branch), slots[branch.slot].phase == .running else { return }
    let index = branch.slot
    slots[index].outstanding -= 1
    guard slots[index].outstanding == 0 else { return }
    switch slots[index].work {
    case .sequence:
      advance(index)
    case .tree:
      noteEnd(index, .finished)
      inOrder { registry in
        registry.directory[registry.slots[index].place].openTrees -= 1
        registry.leavePlace(index, .finished)
        registry.settle(index)
      }
    case .dispatch(let number):
      finish(index, number)
    case .share:
      inOrder { $0.settleJoiners(of: index) }
      _ = slots.free(index)
    case .none, .run, .joined:
      fatalError("Registry: a run has no parts; bug in EffectRuntime, please report")
    }
  }

  private mutating func finish(_ index: Int32, _ number: UInt64) {
    // Asked first, because an empty dictionary computes the hash all the same.
    if !waiters.isEmpty, let waiting = waiters.removeValue(forKey: index) {
      let outcomes = takeOutcomes(of: number)
      for waiter in waiting { commands.append(.resume(waiter, outcomes)) }
    }
    if !runWaits.isEmpty { runWaits.settled(slots.token(index)) }
    _ = slots.free(index)
    dispatches.removed(liveIn: slots)
  }

  /// The closure of a cancelled run has returned: the run leaves, and so do the parts that have waited for the closure, its
  /// own branch first and then those that joined, in the order in which they did.
  mutating func returned(_ index: Int32) {
    let waiting = takeWaiting(for: index)
    leave(index)
    for part in waiting { leave(part) }
  }

  /// Cancelled work leaves, and perhaps a cancelled tree around it.
  private mutating func leave(_ index: Int32) {
    var next = index
    while next >= 0 {
      let gone = next
      next = -1
      if notes.isOn, case .run = slots[gone].work { note(gone, .returned) }
      if slots[gone].isNamed {
        let place = slots[gone].place
        statusWillChange(gone)
        peers.remove(gone, from: &directory[place].cancelling)
        directory[place].counts.cancelledReturned(keptPlace: slots[gone].keepsPlace)
        steps.append(.refill(place))
      }
      let parent = slots[gone].parent
      if slots.contains(parent) {
        leaveBranch(gone)
        if slots[parent.slot].phase == .cancelling {
          slots[parent.slot].outstanding -= 1
          if slots[parent.slot].outstanding == 0 { next = parent.slot }
        } else {
          steps.append(.settled(parent))
        }
      }
      free(gone)
    }
  }
}
