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
    hold(action, .user(dispatch: taken, site), after: nil)
  }

  /// An action of a run has been taken: reduced if the run is active, and dropped otherwise (rule E1).
  @inlinable
  mutating func take(_ action: R.Action, sentBy token: Token, _ waiter: Waiter?) {
    var source = TraceSource.followUp
    var birth: UInt64?
    if isTraced { (source, birth) = sender(token) }
    // A sender that does not wait any more was answered that its action is not reduced.
    let isWithdrawn = waiter.map { scheduler.isLive(token) && !$0.hold() } ?? false
    guard !isWithdrawn, scheduler.beginTurn(sentBy: token) else {
      return drop(action, source, after: birth, waiter)
    }
    delivering = waiter
    guard pace != .whole else {
      if !reduce(action) { completeReduction() }
      return
    }
    hold(action, source, after: birth)
  }

  /// Keeps an action for the next call.
  @inlinable @inline(__always)
  mutating func hold(_ action: R.Action, _ source: TraceSource, after birth: UInt64?) {
    let accepted = isTraced ? note(.accepted(action, source), after: birth) : nil
    held = Held(action: action, source: source, cause: accepted)
  }

  /// Drops an action that was taken, and answers its sender if it waits.
  @usableFromInline
  mutating func drop(_ action: R.Action, _ source: TraceSource, after birth: UInt64?, _ waiter: Waiter?) {
    if isTraced {
      let accepted = note(.accepted(action, source), after: birth)
      traceCause = note(.dropped(action, source), after: accepted)
    }
    if let waiter { emit(.answer(waiter, false)) }
  }

  /// Reduces the next action of the open turn, or ends the turn.
  @inlinable
  mutating func continueTurn() {
    guard isTurnOpen else { return }
    if let held = held.take() { return reduce(held) }
    guard let action = followUps.next(in: &scheduler) else { return completeTurn() }
    let next = Held(action: action, source: .followUp, cause: turnEvent)
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
    if stackCounter.hasNew { stackCounter.endReduction() }
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
    if stackCounter.hasNew { stackCounter.endReduction() }
    if isTraced {
      notes.append(TraceEvent(number: number, cause: held.cause, kind: .reduced(held.action, held.source)))
      if case .followUp = held.source {} else { turnEvent = number }
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
    guard let waiter = delivering else { return }
    delivering = nil
    emit(.answer(waiter, true))
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
      if actionsInTurn == 0, let waiter = delivering {
        delivering = nil
        emit(.answer(waiter, false))
      }
    }
    while followUps.next(in: &scheduler) != nil { followUps.interpret(.none, in: &scheduler) }
    completeTurn()
  }
}

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
    case .late(let action, let token, let closure, let waiter):
      if !scheduler.isLive(token), let failure = closure.takeLateFailure() { emit(.report(failure)) }
      take(action, sentBy: token, waiter)
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
        case .limit: scheduler.liveRuns.first?.run
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
    case .shutdownExpired(let waiter): expire(waiter)
    case .rested: endIfIdle()
    case .refused(let action, let site):
      if isTraced {
        traceCause = note(.refused(action, site), after: traceCause)
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
      defer { emit(.shutdownReturns([waiter], shutdownResult)) }
      return begin(shutdown)
    }
    ending?.waiting.append(waiter)
    begin(shutdown)
  }

  private mutating func begin(_ shutdown: Shutdown) {
    switch shutdown.mode {
    case .cancelling:
      return cancelForShutdown()
    case .draining:
      noteOther(.shutdown(.draining))
      guard !shutdown.ids.isEmpty else { return }
      for waiter in scheduler.waiters(reachedBy: shutdown.ids) { emit(.cutShort(waiter)) }
      scheduler.cancel(ids: shutdown.ids, because: .shutdown)
    }
    completeEvent()
  }

  /// Cancels all work, once.
  private mutating func cancelForShutdown() {
    guard !isCutShort else { return }
    noteOther(.shutdown(.cancelling))
    ending?.cut = scheduler.liveRuns
    // A request gets no answer if the shutdown cancels a part of it (rule L3).
    for waiter in scheduler.waitersOfPresentWork { emit(.cutShort(waiter)) }
    scheduler.cancelForShutdown()
    completeEvent()
  }

  /// A call of `shutdown` does not wait any longer: cancels all work, and returns what has not returned.
  private mutating func expire(_ waiter: Waiter) {
    guard let index = ending?.waiting.firstIndex(where: { $0 === waiter }) else { return }
    cancelForShutdown()
    ending?.waiting.remove(at: index)
    emit(.shutdownReturns([waiter], shutdownResult))
  }

  /// What a shutdown returns now: the runs that it has cut short, and those that were cancelled before and have not returned.
  package var shutdownResult: [EffectRun] {
    var left = scheduler.closuresOfCancelledRuns
    let cut = (ending?.cut ?? []).map { token, run in
      run.returned(left.removeValue(forKey: token) == nil)
    }
    return cut + left.sorted { $0.key.slot < $1.key.slot }.map { $0.value.returned(false) }
  }

  /// Ends the store if it was shut down and has no work. No work can begin then, because no action is accepted from
  /// outside. Actions of runs that have ended, further waiters and observers may still come; they are handled as usual.
  private mutating func endIfIdle() {
    guard ending != nil, scheduler.isIdle, !isTurnOpen else { return }
    noteOther(.shutdown(.ended))
    emit(.storeEnded)
    emit(.shutdownReturns(ending?.waiting ?? [], ending?.cut.map(\.run) ?? []))
    ending?.waiting = []
  }
}

// MARK: - Outputs

extension Engine {
  /// Moves everything for the shell to the outputs, which must be empty. What a turn causes is kept until the turn has
  /// ended (rule E8); listeners are notified of each action.
  @inlinable @inline(__always)
  mutating func collect(into outputs: inout EngineOutputs<R.Action>) {
    if isTurnOpen {
      if reportsEachReduction { scheduler.takeReports(into: &outputs.steps) }
    } else if scheduler.hasOutput {
      // What a turn starts follows from the event that has opened it, for listeners.
      if isTraced { traceCause = turnEvent ?? traceCause }
      scheduler.takeOutputs(into: &outputs.steps)
      swap(&scheduler.released, &outputs.released)
    }
    if let carried, !isTurnOpen {
      bind(carried, in: &outputs.steps)
      sweep(carried)
    }
    if isTraced { collectNotes(into: &outputs) }
  }

  /// Moves the notes for listeners.
  @inlinable
  mutating func collectNotes(into outputs: inout EngineOutputs<R.Action>) {
    takeNotes()
    swap(&notes, &outputs.notes)
  }

  /// Appends an output behind all that follows from the event so far.
  @usableFromInline
  mutating func emit(_ output: EngineOutput) { scheduler.outputs.append(output) }
}

// MARK: - Notes for listeners

extension Engine {
  /// Notes an event. Returns its number.
  @inlinable @inline(__always)
  mutating func note(_ kind: TraceEvent<R.Action>.Kind, after cause: UInt64?) -> UInt64 {
    // Events with lower numbers are noted first.
    takeNotes()
    let number = nextEventNumber()
    notes.append(TraceEvent(number: number, cause: cause, kind: kind))
    return number
  }

  /// Notes an event that follows from the event at hand. From now on it is the event at hand. Without a listener it
  /// does nothing.
  mutating func noteOther(_ kind: TraceEvent<R.Action>.Kind) {
    if isTraced { traceCause = note(kind, after: traceCause) }
  }

  /// Takes over what the scheduler has noted about runs.
  @inlinable @inline(__always)
  mutating func takeNotes() {
    if scheduler.notes.hasNotes || !followUps.dropped.isEmpty { takeNotesNow() }
  }

  /// The same, if there are any.
  @inlinable
  mutating func takeNotesNow() {
    for note in scheduler.notes.take() { notes.append(note.map { $0 }) }
    for action in followUps.takeDropped() {
      notes.append(TraceEvent(number: nextEventNumber(), cause: turnEvent, kind: .dropped(action, .followUp)))
    }
  }

  /// The run that sent an action, and the number of the event that mentioned it first, if that was reported.
  @inlinable
  mutating func sender(_ token: Token) -> (TraceSource, UInt64?) {
    let run = scheduler.tracedSender(token)
    let birth = run.flatMap { scheduler.notes.hasReported($0) ? $0.birth : nil }
    return (.run(run), birth)
  }

  /// Numbers an event that a shell notes by itself.
  @inlinable
  package mutating func nextEventNumber() -> UInt64 { scheduler.notes.next() }
}
