// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Messages that are no mere actions

extension Store {
  /// Takes what is no mere action: those `step()` reduces.
  @inlinable
  func take(_ message: Message<R.Action>) {
    switch message {
    case .action, .sent:
      fatalError("Store: take() of an action; bug in EffectRuntime, please report")
    case .delivered(let action, let token, let waiter):
      guard core.value.interpreter.beginTurn(sentBy: token) else {
        cancelTasks()
        return waiter.answer(false)
      }
      core.value.delivering = waiter
      core.value.deliveringRun = token
      reduce(action)
    case .ended(let token, let error):
      ended(token, error)
    case .watch(let number, let waiter, let own):
      watch(number, waiter, from: own)
    case .cancelDispatch(let number):
      cancelDispatch(number)
    case .resumeTurn:
      resumeTurn()
    case .keepOutcomes(let ids):
      core.value.ordersTaken += 1
      startKeeping(ids)
    case .releaseOutcomes(let ids):
      core.value.ordersTaken += 1
      stopKeeping(ids)
    case .collectOutcomes(let number):
      core.value.interpreter.collectOutcomes(ofDispatch: number)
    case .shutDown(let shutdown, let waiter, let own):
      shutDown(shutdown, waiter, from: own)
    case .timeCame(let number, let error):
      timeCame(number, error)
    case .observe:
      // The end of the slice shows the state to every observer, and so to the new one.
      if hub.version != core.value.outlet.version { refreshListeners() }
      showTurns()
    case .slept(let token, let until):
      slept(token, until: until)
    case .began(let token):
      core.value.interpreter.noteCall(of: token)
    case .refused(let action, let site):
      tell(.refused(action, site))
    }
  }

  @inlinable
  func ended(_ token: Token, _ error: (any Error)?) {
    var mayRetry = false
    // In two steps: the condition is user code.
    if let error, let condition = core.value.interpreter.retryCondition(of: token) {
      cancelTasks()
      mayRetry = condition(error)
    }
    // The closure of an attempt that ran out of time is no longer what the slot stands for.
    if core.value.running[token.slot]?.token == token { core.value.running[token.slot] = nil }
    looking { core.value.interpreter.ended(token, error: error, mayRetry: mayRetry) }
    perform()
    if core.value.interpreter.isTurnOpen { endTurnIfDone() }
  }

  @usableFromInline
  func cancelDispatch(_ number: UInt64) {
    core.value.ordersTaken += 1
    mailbox.forgetCancelled(number)
    tell(.dispatchCancelled(number))
    looking { core.value.interpreter.cancelDispatch(number) }
    perform()
    if core.value.interpreter.isTurnOpen { endTurnIfDone() }
  }

  /// Somebody waits for a dispatch; told `false` if that would be for ever.
  @usableFromInline
  func watch(_ number: UInt64, _ waiter: Waiter, from own: Token) {
    cancelTasks()
    if own != .none, core.value.interpreter.isRun(own, partOf: number) {
      let run = core.value.interpreter.description(of: own)
      forgetOutcomes(of: number)
      if let run { onFailure(EffectFailure(error: WaitsForItself(.dispatch), run: run)) }
      waiter.answer(false)
    } else if own != .none, let circle = core.value.interpreter.circle(of: own, waitingFor: number) {
      let run = core.value.interpreter.description(of: own)
      forgetOutcomes(of: number)
      if let run { onFailure(EffectFailure(error: WaitsInCircle(others: circle), run: run)) }
      waiter.answer(false)
    } else {
      core.value.interpreter.watch(number, waiter, from: own)
      perform()
    }
  }

  /// The waiter that outcomes were collected for does not come. What they hold is released outside of the interpreter.
  private func forgetOutcomes(of number: UInt64) {
    let forgotten = core.value.interpreter.forgetOutcomes(ofDispatch: number)
    withExtendedLifetime(forgotten) {}
  }
}
