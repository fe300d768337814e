// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Reducing actions, and ending their turns

extension Store {
  @inlinable
  func reduce(_ action: R.Action) {
    core.value.isReducing = true
    let effect = reducer.reduce(into: &core.value.state, action: action)
    core.value.isReducing = false
    if !looking({ core.value.isDone(with: effect, followUpLimit: followUpLimit) }) { completeReduction() }
  }

  /// Lets the interpreter compare ids: who asks meanwhile is told that he must not.
  @inlinable @inline(__always)
  func looking<Result>(_ body: () -> Result) -> Result {
    activity.value.isLooking = true
    defer { activity.value.isLooking = false }
    return body()
  }

  @inlinable
  func completeReduction() {
    if core.value.interpreter.hasOutput { perform() }
    endTurnIfDone()
  }

  @inlinable
  func endTurnIfDone() {
    if core.value.interpreter.hasFollowUps {
      cancelTasks()
      if core.value.actionsInTurn >= followUpLimit { suspendTurn() }
      return
    }
    looking { core.value.interpreter.endTurn() }
    core.value.actionsInTurn = 0
    if core.value.interpreter.hasOutput { perform() }
    if core.value.showsTurns { showTurns() }
    if core.value.delivering != nil { delivered() }
  }

  /// Shows the state to those who want to see every turn's. No turn is open.
  @usableFromInline
  func showTurns() {
    cancelTasks()
    observers.turns.offer(core.stateInPlace()) { presentEffects() }
    core.value.showsTurns = observers.turns.isWatched
  }

  /// Puts the rest of the turn behind all that waits, so that others get their turn (rule T5).
  @usableFromInline
  func suspendTurn() {
    tell(.turnSuspended(actions: core.value.actionsInTurn))
    let cause = core.value.outlet.isOn ? core.value.interpreter.traceCause : nil
    core.value.suspendedTurns.append((core.value.interpreter.suspendTurn(), cause))
    core.value.actionsInTurn = 0
    mailbox.post(.resumeTurn)
    delivered()
  }

  @usableFromInline
  func resumeTurn() {
    let (turn, cause) = core.value.suspendedTurns.removeFirst()
    core.value.interpreter.resumeTurn(turn)
    if core.value.outlet.isOn { core.value.interpreter.traceCause = cause }
    if activity.value.ending?.isCut == true { core.value.interpreter.refuseRuns() }
  }

  @usableFromInline
  func delivered() {
    guard let waiter = core.value.delivering else { return }
    cancelTasks()
    core.value.delivering = nil
    let run = core.value.deliveringRun
    // The task that waits may be another than that of the run, and is not cancelled with it.
    guard core.value.interpreter.isLive(run) else { return waiter.answer(false) }
    if core.value.showsTurns, observers.pressure.holds(waiter, of: run) { return }
    waiter.answer(true)
  }

  /// A run is cancelled, which may be held back by who shows every turn, or be about to.
  @usableFromInline
  func letGo(of run: Token) {
    if core.value.deliveringRun == run { core.value.deliveringRun = .none }
    observers.pressure.letGo(of: run)
  }
}
