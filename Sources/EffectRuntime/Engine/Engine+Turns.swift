// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Taking actions

extension Engine {
  /// An action from outside has been taken.
  @inlinable
  mutating func take(_ action: R.Action, isRefusing: Bool, site: CallSite?) {
    taken += 1
    scheduler.beginTurn(dispatch: taken, isRefusing: isRefusing, isLate: isLate)
    guard pace != .whole else {
      if !reduce(action) { completeReduction() }
      return
    }
    hold(action, TraceOrigin(form: .user, dispatch: taken, site), after: nil)
  }

  /// An action of a run has been taken: reduced if the run is active, and dropped otherwise (rule E1).
  @inlinable
  mutating func take(_ action: R.Action, sentBy token: Token, _ waiter: Waiter?) {
    var origin = TraceOrigin.followUp
    var birth: UInt64?
    if isTraced { (origin, birth) = sender(token) }
    guard scheduler.beginTurn(sentBy: token) else { return drop(action, origin, after: birth, waiter) }
    if let waiter { delivering = (waiter, token) }
    guard pace != .whole else {
      if !reduce(action) { completeReduction() }
      return
    }
    hold(action, origin, after: birth)
  }

  /// Keeps an action for the next call.
  @inlinable @inline(__always)
  mutating func hold(_ action: R.Action, _ origin: TraceOrigin, after birth: UInt64?) {
    let accepted = isTraced ? note(.accepted, action, origin, after: birth) : nil
    held = Held(action: action, origin: origin, cause: accepted)
  }

  /// Drops an action that was taken, and answers its sender if it waits.
  @usableFromInline
  mutating func drop(_ action: R.Action, _ origin: TraceOrigin, after birth: UInt64?, _ waiter: Waiter?) {
    if isTraced {
      let accepted = note(.accepted, action, origin, after: birth)
      traceCause = note(.dropped, action, origin, after: accepted)
    }
    if let waiter { emit(.answer(waiter, false)) }
  }

  /// Reduces the next action of the open turn, or ends the turn.
  @inlinable
  mutating func continueTurn() {
    guard isTurnOpen else { return }
    if let held = held.take() { return reduce(held) }
    guard let action = followUps.next(in: &scheduler) else { return completeTurn() }
    let next = Held(action: action, origin: .followUp, cause: turnEvent)
    if pace == .stepwise { held = next } else { reduce(next) }
  }
}

// MARK: - Reducing

extension Engine {
  /// Reduces an action and interprets its effect. Returns whether there is no more to do: the turn has ended or goes on
  /// with another action, and there is no output. That is nearly always so.
  @inlinable @inline(__always)
  mutating func reduce(_ action: R.Action) -> Bool {
    phase.value = .reducing
    let effect = reducer.reduce(into: &state, action: action)
    phase.value = .comparing
    actionsInTurn += 1
    followUps.interpret(effect, in: &scheduler)
    if !followUps.isEmpty { return actionsInTurn < followUpLimit }
    guard !scheduler.hasOutput, scheduler.turn.root == .none, delivering == nil else { return false }
    endTurn()
    return true
  }

  /// Reduces an action that was held.
  @inlinable
  mutating func reduce(_ held: Held) {
    var number: UInt64 = 0
    if isTraced {
      number = nextEventNumber()
      traceCause = number
    }
    phase.value = .reducing
    let effect = reducer.reduce(into: &state, action: held.action)
    if isTraced {
      notes.append(EngineNote(number, after: held.cause, .reduced, held.action, held.origin))
      if held.origin.form != .followUp { turnEvent = number }
    }
    inspect?(effect)
    phase.value = .comparing
    followUps.interpret(effect, in: &scheduler)
    actionsInTurn += 1
    if pace != .stepwise { completeReduction() }
  }

  /// An action has been reduced, and there is more to do: ends its turn if no action remains, or suspends a long turn.
  @inlinable
  mutating func completeReduction() {
    if !isTurnOpen { return }
    if followUps.isEmpty { return completeTurn() }
    if actionsInTurn >= followUpLimit { suspendTurn() }
  }

  /// No action of the open turn is left: ends it, and answers the sender that waits for it.
  @inlinable
  mutating func completeTurn() {
    endTurn()
    if delivering != nil { answerDelivery() }
  }

  /// Ends the open turn: its dispatch settles, if nothing else of it is left.
  @inlinable
  mutating func endTurn() {
    actionsInTurn = 0
    scheduler.turn.isOpen = false
    guard scheduler.turn.root != .none else { return }
    scheduler.settleTurn()
    followUps.interpretParts(in: &scheduler)
  }

  /// Answers the sender that waits for the open turn, if there is one.
  @usableFromInline
  mutating func answerDelivery() {
    guard let (waiter, run) = delivering else { return }
    delivering = nil
    // The task that waits may be another than that of the run, and is not cancelled with it.
    emit(.answer(waiter, scheduler.isLive(run)))
  }

  /// An event that is not an action has been handled: takes the steps that follow from it. If it has opened a turn,
  /// ends that turn when no action remains.
  @inlinable
  mutating func completeEvent() {
    followUps.interpretParts(in: &scheduler)
    if pace != .stepwise, isTurnOpen { completeReduction() }
  }

  // MARK: - Long turns

  /// Puts the rest of the turn behind all waiting messages, so that other actions are handled first (rule T5).
  @usableFromInline
  mutating func suspendTurn() {
    noteOther(.turnSuspended(actions: actionsInTurn))
    // The dispatch must not settle meanwhile: a waiter may wait for it.
    _ = scheduler.dispatch()
    suspended.append(SuspendedTurn(turn: scheduler.turn, followUps: followUps, event: isTraced ? traceCause : nil))
    scheduler.turn = Scheduler.Turn()
    followUps = FollowUps()
    actionsInTurn = 0
    emit(.continueLater)
    answerDelivery()
  }

  /// Opens the turn again that was suspended first.
  mutating func resumeTurn() {
    guard !suspended.isEmpty else { return }
    let rest = suspended.removeFirst()
    scheduler.turn = rest.turn
    followUps = rest.followUps
    if isTraced { traceCause = rest.event }
  }

  /// Ends the open turn without reducing its remaining actions.
  mutating func dropTurn() {
    guard isTurnOpen else { return }
    if held != nil {
      held = nil
      followUps.interpret(.none, in: &scheduler)
      if actionsInTurn == 0, let (waiter, _) = delivering {
        delivering = nil
        emit(.answer(waiter, false))
      }
    }
    while followUps.next(in: &scheduler) != nil { followUps.interpret(.none, in: &scheduler) }
    completeTurn()
  }
}
