// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Events that are not actions

extension Engine {
  /// A closure has returned or thrown.
  @inlinable
  mutating func end(_ token: Token, _ error: (any Error)?) {
    let error = error.flatMap { scheduler.failure($0, of: token) }
    // User code is called before anything changes.
    let wait = error.flatMap { scheduler.backoff(of: token)?($0) }
    scheduler.ended(token, error: error, retryAfter: wait)
    completeEvent()
  }

  /// Handles an input that ``handle(_:into:)`` does not handle itself, because it is rarer.
  @usableFromInline
  mutating func handleOther(_ input: Input) {
    switch input {
    case .action, .sent, .delivered, .continueTurn, .ended: break
    case .dropTurn: dropTurn()
    case .resumeTurn: resumeTurn()
    case .slept(let token, let until): scheduler.noteSleep(of: token, until: until)
    case .called(let token): scheduler.noteCall(of: token)
    case .deadline: fireDeadline()
    case .timePassed:
      scheduler.forgetClosedWindows()
      followUps.interpretParts(in: &scheduler)
    case .clockFailed(let failure):
      let run =
        switch failure.purpose {
        case .wait: scheduler.nextWaiting
        case .limit: scheduler.liveRuns.first
        }
      if let run { emit(.report(EffectFailure(error: failure, run: run))) }
    case .senderCancelled(let number): cancelAction(number)
    case .cancel(let ids):
      scheduler.cancel(ids: ids)
      completeEvent()
    case .cancelEverything:
      scheduler.cancelEverything()
      completeEvent()
    case .watch(let number, let waiter, let own): watch(number, waiter, from: own)
    case .collectOutcomes(let number): scheduler.collectOutcomes(ofDispatch: number)
    case .shutDown(let shutdown, let waiter, let own): shutDown(shutdown, waiter, from: own)
    case .rested: endIfIdle()
    case .refused(let action, let site):
      if isTraced {
        traceCause = note(.refused, action, TraceOrigin(form: .user, site), after: traceCause)
      }
    case .budgetExceeded(let steps): noteOther(.budgetExceeded(steps: steps))
    }
  }

  /// Handles the first deadline, if it has passed.
  private mutating func fireDeadline() {
    let wait = scheduler.nextTimeout.flatMap { $0.mayRetry ? scheduler.backoff(of: $0.token)?($0.error) : nil }
    scheduler.fireNextAlarm(retryAfter: wait)
    completeEvent()
  }

  /// Cancels what an action from outside has caused and will cause.
  private mutating func cancelAction(_ number: UInt64) {
    noteOther(.dispatchCancelled(number))
    scheduler.cancelDispatch(number)
    completeEvent()
  }

  /// A waiter waits for what an action causes; answered `false` if the wait would never end.
  private mutating func watch(_ number: UInt64, _ waiter: Waiter, from own: Token) {
    let error: any Error
    if own != .none, scheduler.isRun(own, partOf: number) {
      error = WaitsForItself(.dispatch)
    } else if own != .none, let circle = scheduler.circle(of: own, waitingFor: number) {
      error = WaitsInCircle(others: circle)
    } else {
      return scheduler.watch(number, waiter, from: own)
    }
    scheduler.forgetOutcomes(of: number)
    if let run = scheduler.description(of: own) { emit(.report(EffectFailure(error: error, run: run))) }
    emit(.answer(waiter, false))
  }
}

// MARK: - Shutting down

extension Engine {
  /// Begins a shutdown, or changes the present one. A waiter inside a run is answered at once.
  private mutating func shutDown(_ shutdown: Shutdown, _ waiter: Waiter, from own: Token) {
    if ending == nil { ending = Ending() }
    if let run = scheduler.description(of: own) {
      emit(.report(EffectFailure(error: WaitsForItself(.shutdown), run: run)))
      emit(.answer(waiter, false))
    } else {
      ending?.waiting.append(waiter)
    }
    switch shutdown.mode {
    case .cancelling:
      guard !isCutShort else { return }
      noteOther(.shutdown(.cancelling))
      emit(.shutdownCancels(scheduler.liveRuns))
      // A request gets no answer if the shutdown cancels a part of it (rule L3).
      for waiter in scheduler.waitersOfPresentWork { emit(.cutShort(waiter)) }
      scheduler.cancelForShutdown()
    case .draining:
      noteOther(.shutdown(.draining))
      guard !shutdown.ids.isEmpty else { return }
      for waiter in scheduler.waiters(reachedBy: shutdown.ids) { emit(.cutShort(waiter)) }
      scheduler.cancel(ids: shutdown.ids, because: .shutdown)
    }
    completeEvent()
  }

  /// Ends the store if it was shut down and has no work. No work can begin then, because no action is accepted from
  /// outside. Actions of runs that have ended, further waiters and observers may still come; they are handled as usual.
  private mutating func endIfIdle() {
    guard ending != nil, scheduler.isIdle, !isTurnOpen else { return }
    noteOther(.shutdown(.ended))
    emit(.storeEnded(ending?.waiting ?? []))
    ending?.waiting = []
  }
}
