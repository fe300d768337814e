// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// MARK: - Reducing

extension TestStore {
  /// Reduces an action that begins a turn, and interprets what it returned. Returns the number of its dispatch.
  @inlinable
  func reduceSent(_ action: R.Action) -> UInt64 {
    turn.first = action
    if let carried = mailbox.carried { carried.add(carried.capture(), of: engine.taken + 1) }
    handle(.action(action, site: CallSite(fileID: location.fileID, line: location.line)))
    reduce(action)
    return engine.taken
  }

  /// Reduces the held action: the turn it belongs to is open.
  @inlinable
  func reduceHeld(_ held: Held<R.Action>) {
    self.held = nil
    reduce(held.action)
  }

  /// Reduces the action that the engine holds.
  @inlinable
  func reduce(_ action: R.Action) {
    turn.count += 1
    turn.current = action
    if turn.count > executor.actionLimit - 8 { turn.latest.append(action) }
    if reportedFailures.isChildMissing { reportedFailures.isChildMissing = false }
    handle(.continueTurn)
    if engine.scheduler.hasAlarms { noteOrigins(action) }
    if turn.count > executor.actionLimit, engine.hasFollowUps { cutEndlessTurn() }
  }

  @usableFromInline
  func cutEndlessTurn() {
    if report(FailureText.followUpCycle(turn.latest, count: turn.count), at: location) {
      reportedFailures.hasLostWork = true
    }
    reportedFailures.endlessTurns += 1
    dropTurn()
  }

  /// Goes on with the open turn: holds its next action, or ends it.
  @inlinable
  func continueTurn() {
    // What the turn has caused so far begins when it has ended: its origin is kept until then.
    if engine.hasFollowUps { noteStarts() }
    handle(.continueTurn)
    if let next = engine.held {
      held = Held(action: next.action, source: .turn(of: turn.first), isExcused: turn.isExcused)
    } else {
      turn = TurnRecord()
    }
  }

  /// Drops the rest of a turn. What waits for the end of the turn goes on.
  @usableFromInline
  func dropTurn() {
    held = nil
    handle(.dropTurn) { turn = TurnRecord() }
  }

  /// Drops the held action, if there is one, and cancels all work, because the actions would go on without end.
  @usableFromInline
  func dropEverything(isReported: Bool) {
    if held != nil, isReported { reportedFailures.hasLostWork = true }
    while held != nil {
      dropTurn()
      cancelAll()
      executeWhatIsDue()
    }
  }
}

// MARK: - Executing

extension TestStore {
  /// Executes everything that can happen at this instant, until an action is held.
  @inlinable
  func executeWhatIsDue() {
    var mayDrain = true
    var left = executor.messageLimit + 16 * runs.count
    while true {
      // What a turn starts begins when the turn has ended (rule E8), and not while an action of it waits to be received.
      if mayDrain, !engine.isTurnOpen, !executor.drain() { reportRestlessness() }
      if Reporter.hasFailuresOfRuns { reportFailuresOfRuns() }
      // A run that never waits gets no more time in this step. Otherwise each of its actions would cause further ones.
      mayDrain = !executor.isRestless
      guard held == nil else { return }
      if engine.isTurnOpen {
        continueTurn()
      } else if engine.scheduler.hasAlarms, isAlarmDue {
        // Before any message is taken that was sent at this instant (rule C3), as in a store.
        _ = wakeNext()
      } else if left == 0 {
        // Runs end and start again without end. Each of them ends, so the executor alone does not detect that.
        if executor.becomeRestless() { reportRestlessness() }
        return
      } else if let message = nextMessage() {
        take(message)
        left -= 1
      } else {
        if ending.hasBegun { rest() }
        return
      }
    }
  }

  @usableFromInline
  func reportRestlessness() {
    reportNaming(inFlight, FailureText.neverRests(inFlight), at: location)
  }

  @inlinable
  func nextMessage() -> Message<R.Action>? {
    guard hasMail else { return nil }
    position += 1
    return batch[position - 1]
  }

  @inlinable
  func take(_ message: Message<R.Action>) {
    switch message {
    case .sent(let action, let token):
      handle(.sent(action, by: token))
      hold(action, sentBy: token)
    case .order(let input):
      handle(input)
      switch input {
      case .delivered(let action, let token, _), .late(let action, let token, _, _): hold(action, sentBy: token)
      default: break
      }
    case .ended(let token, let error):
      let former = runs.end(token, isKept: assertsDrops)
      turn.ended = former
      turn.isExcused = former?.isExcused ?? false
      handle(.ended(token, error))
      if engine.scheduler.hasAlarms { noteOrigins(former?.cause) }
      if !engine.isTurnOpen { turn = TurnRecord() }
    case .action, .cancelDispatch, .timeCame, .observe:
      fatalError("TestStore: \(message) in the mailbox of a test store; bug in EffectTesting, please report")
    }
  }

  /// The action of a run has been taken: it is now held, or it was dropped.
  @inlinable
  func hold(_ action: R.Action, sentBy token: Token) {
    guard engine.isHolding else { return noteDrop(action, sentBy: token) }
    guard let run = runs[token] else { return dropTurn() }
    turn.first = action
    held = Held(action: action, source: .run(run), isExcused: run.isExcused)
  }
}
