// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// MARK: - Reducing

extension TestStore {
  /// Reduces an action that begins a turn, and interprets what it returned.
  @inlinable
  func reduceSent(_ action: R.Action) -> UInt64 {
    sent += 1
    turn.first = action
    interpreter.beginTurn(dispatch: sent)
    interpreter.traceCause = nil
    let source = TraceSource.user(dispatch: sent, CallSite(fileID: location.fileID, line: location.line))
    let now = clock.now.offset
    reduce(action, source, after: tell(.accepted(action, source), at: now), at: now)
    log.turn = interpreter.traceCause
    return sent
  }

  /// Reduces the held action: the turn it belongs to is open.
  @inlinable
  func reduceHeld(_ held: Held<R.Action>) {
    self.held = nil
    if let waiter = held.waiter, case .run(let run) = held.source {
      turn.delivering = waiter
      turn.deliveringRun = run.token
    }
    reduce(held.action, held.trace.source, after: held.trace.number, at: clock.now.offset)
    if case .run = held.source { log.turn = interpreter.traceCause }
  }

  @inlinable
  func reduce(_ action: R.Action, _ source: TraceSource, after cause: UInt64?, at now: Duration) {
    turn.count += 1
    turn.current = action
    if turn.count > TestLimits.followUps - 8 { turn.latest.append(action) }
    let number = interpreter.nextEventNumber()
    interpreter.traceCause = number
    isReducing = true
    let effect = reducer.reduce(into: &present, action: action)
    isReducing = false
    log.add(.reduced(action, source), number, after: cause, at: now)
    interpreter.reduced(effect)
    // The clock stands while a test store reduces.
    perform(at: now)
    if interpreter.hasAlarms { noteOrigins(action) }
    if turn.count > TestLimits.followUps, interpreter.hasFollowUps { cutEndlessTurn() }
  }

  @usableFromInline
  func cutEndlessTurn() {
    if report(FailureText.followUpCycle(turn.latest, count: turn.count), at: location) { aftermath.hasLostWork = true }
    aftermath.endlessTurns += 1
    dropTurn()
  }

  @inlinable
  func endTurn() {
    interpreter.endTurn()
    let (waiter, run) = (turn.delivering, turn.deliveringRun)
    turn = TurnRecord()
    perform()
    // The task that waits may be another than that of the run, and is not cancelled with it.
    if let waiter { waiter.answer(interpreter.isLive(run)) }
  }

  /// Leaves out the rest of a turn, in such a way that the interpreter knows of it: what waits for the turn goes on.
  @usableFromInline
  func dropTurn() {
    if let held {
      self.held = nil
      held.waiter?.answer(false)
      interpreter.reduced(.none)
    }
    while interpreter.nextFollowUp() != nil { interpreter.reduced(.none) }
    endTurn()
  }

  /// Drops what is held and all that could bring more, after a failure that has no other end.
  @usableFromInline
  func dropEverything(isReported: Bool) {
    if held != nil, isReported { aftermath.hasLostWork = true }
    while held != nil {
      dropTurn()
      cancelAll()
      settleNow()
    }
  }
}

// MARK: - Settling

extension TestStore {
  /// Lets everything happen that can happen now, up to the next action that must be received.
  @inlinable
  func settleNow() {
    var mayDrain = true
    var left = executor.messageLimit + 16 * running.count
    while true {
      if mayDrain, !executor.drain() { reportRestlessness() }
      // One that never rests gets no more time in this step, or each of its actions would bring further ones.
      mayDrain = !executor.isRestless
      guard held == nil else { return }
      if interpreter.isTurnOpen {
        let next = interpreter.nextFollowUp()
        if interpreter.hasDroppedFollowUps { tellNotes() }
        if let action = next {
          held = Held(
            action: action, source: .turn(of: turn.first), isExcused: turn.isExcused, waiter: nil,
            trace: (.followUp, log.turn))
        } else {
          endTurn()
        }
      } else if interpreter.hasAlarms, isAlarmDue {
        // Before anything is taken that was sent at this instant (rule C3), as in a store.
        _ = wakeNext()
      } else if let message = nextMessage() {
        take(message)
        left -= 1
        guard left > 0 else {
          // Runs that end and begin again, each with a rest of its own: the executor alone does not see that.
          if executor.becomeRestless() { reportRestlessness() }
          return
        }
      } else {
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
    if position == batch.count {
      guard executor.takeNoteOfMail() else { return nil }
      batch.removeAll(keepingCapacity: true)
      position = 0
      guard mailbox.takeAll(into: &batch) else { return nil }
    }
    position += 1
    return batch[position - 1]
  }

  @inlinable
  func take(_ message: Message<R.Action>) {
    switch message {
    case .sent(let action, let token):
      hold(action, sentBy: token, nil)
    case .delivered(let action, let token, let waiter):
      hold(action, sentBy: token, waiter)
    case .ended(let token, let error):
      let mayRetry = error.map { self.mayRetry(token, $0) } ?? false
      let former = running.removeValue(forKey: token)
      if assertsDrops, let former { ended[token] = former.run }
      turn.ended = former
      turn.isExcused = former?.isExcused ?? false
      interpreter.traceCause = nil
      interpreter.ended(token, error: error, mayRetry: mayRetry)
      perform()
      if interpreter.hasAlarms { noteOrigins(former?.cause) }
      if !interpreter.isTurnOpen { turn = TurnRecord() }
      log.turn = interpreter.traceCause
    case .slept(let token, let until):
      interpreter.traceCause = nil
      interpreter.noteSleep(of: token, until: until)
      tellNotes()
    case .action, .watch, .cancelDispatch, .keepOutcomes, .releaseOutcomes, .collectOutcomes, .shutDown, .resumeTurn,
      .timeCame, .observe, .began, .refused:
      fatalError("TestStore: \(message) in the mailbox of a test store; bug in EffectTesting, please report")
    }
  }

  @inlinable
  func hold(_ action: R.Action, sentBy token: Token, _ waiter: Waiter?) {
    let (source, number) = tellAccepted(action, sentBy: token)
    guard interpreter.beginTurn(sentBy: token), let run = running[token] else {
      tell(.dropped(action, source))
      noteDrop(action, sentBy: token)
      waiter?.answer(false)
      return
    }
    turn.first = action
    held = Held(
      action: action, source: .run(run), isExcused: run.isExcused, waiter: waiter, trace: (source, number))
  }
}
