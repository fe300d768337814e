// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store: MailboxOwner {
  /// Drains soon, on the store's isolation, at one priority whoever sends (rule L6).
  @usableFromInline
  package nonisolated func scheduleDrain() {
    let first = Handoff(self)
    Task.detached(priority: .ofDrains) { [weak self] in
      // A slice holds the store, the way from one to the next does not (rule E7). Were the next slice a task of its own,
      // it could take hold of the store before this one lets go, and so on for as long as anything waits.
      guard await first.take()?.takeSlice() == true else { return }
      while await self?.takeSlice() == true {}
    }
  }

  private func takeSlice() -> Bool {
    mailbox.drainBegins()
    return slice(self)
  }

  /// Takes a slice in the task of a run that has ended, which goes on with what this makes ready.
  package func takeSlice(_ drain: MailboxDrain) -> Bool {
    // As below: whoever is at work there is not to know of this one.
    guard !activity.value.isDraining else {
      activity.value.isSliceOwed = true
      return false
    }
    activity.value.drain = drain
    defer { activity.value.drain = .others }
    return slice(self)
  }

  /// Takes a budget's worth of what waits; `true` if something may be left.
  ///
  /// From here on everything that most actions go through is inlinable, and compiled with the reducer's own types where
  /// the store is made. The rest is called, and not worth it: it costs a task or a wait anyway.
  @inlinable
  func drainSlice() -> Bool {
    // User code below has let the executor run this very job (a nested run loop, a modal panel): later.
    if activity.value.isDraining {
      activity.value.isSliceOwed = true
      return false
    }
    activity.value.isDraining = true
    if hub.version != core.value.outlet.version { refreshListeners() }
    var left = drainBudget
    while left > 0, step() {
      left -= 1
      if left & 15 == 0 { startReady() }
    }
    // A task that goes on with runs calls their closures next, unless there is more to drain.
    if activity.value.drain == .others || left == 0 { startReady() }
    endSlice()
    return left == 0
  }

  /// Drains up to and with an action's turn, whatever the budget (rule L1).
  @inlinable
  func drainInline(through number: UInt64) {
    activity.value.isDraining = true
    if hub.version != core.value.outlet.version { refreshListeners() }
    var steps = 0
    while core.value.taken < number || core.value.interpreter.isTurnOpen {
      _ = step()
      steps &+= 1
      if steps & 15 == 0 { startReady() }
    }
    startReady()
    if core.value.outlet.isOn, steps > drainBudget { tell(.budgetExceeded(steps: steps)) }
    endSlice()
  }

  @inlinable
  func endSlice() {
    cancelTasks()
    showObservers()
    if core.value.position == core.value.batch.count { forgetTaken() }
    tend(hasTimedWork: core.value.interpreter.hasTimedWork)
    activity.value.isDraining = false
    if !core.value.ready.isEmpty { runs.leave(&core.value.ready) }
    if activity.value.isSliceOwed {
      activity.value.isSliceOwed = false
      scheduleDrain()
    }
  }

  @inlinable
  func showObservers() {
    if observers.slices.isWatched { observers.slices.offer(core.stateInPlace()) { presentEffects() } }
    if observers.isStatusWatched || core.value.outlet.isOn { offerStatuses() }
  }

  /// Looks whether the store has come to its end, and after its timer.
  @usableFromInline
  func tend(hasTimedWork: Bool) {
    if activity.value.ending != nil { endIfIdle() }
    if hasTimedWork || activity.value.timer != nil { setTimer() }
  }

  /// Takes one message, or reduces one action of the open turn; `false` if nothing is left.
  @inlinable
  func step() -> Bool {
    if core.value.outlet.isOn { return tracedStep() }
    while true {
      switch core.value.next(mailbox) {
      case .reduce(let action): reduce(action)
      case .take(let message): take(message)
      case .endTurn: endTurnIfDone()
      case .drop: break
      case .refill:
        if core.value.interpreter.hasAlarms, fireDueAlarm() { return true }
        // Before the mailbox may be found empty: what they send finds this drain still at work.
        cancelTasks()
        startReadyForOthers()
        guard refill() else { return false }
        continue
      }
      return true
    }
  }

  /// Takes all that waits; `false` if nothing does.
  @inlinable
  func refill() -> Bool {
    forgetTaken()
    var batch: [Message<R.Action>] = []
    swap(&batch, &core.value.batch)
    defer { core.value.batch = batch }
    if core.value.outlet.isOn || mailbox.isTraced {
      core.value.outlet.stamps.removeAll()
      return mailbox.take(into: &batch, stamps: &core.value.outlet.stamps, activity.value.drain)
    }
    // Those of another batch.
    if !core.value.outlet.stamps.isEmpty { core.value.outlet.stamps = TraceStamps() }
    return mailbox.take(into: &batch, activity.value.drain)
  }

  /// Lets go of messages that have been taken: an action may own its store.
  @inlinable
  func forgetTaken() {
    // Emptied out here, because the release of an action may run user code.
    var batch: [Message<R.Action>] = []
    swap(&batch, &core.value.batch)
    core.value.position = 0
    // After a burst the memory is given back; the next actions need little of it.
    batch.removeAll(keepingCapacity: batch.count <= 1_024)
    core.value.batch = batch
    core.value.outlet.wipePage()
  }

  /// Takes what is no mere action.
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
      if let run { onFailure(EffectFailure(error: WaitsForItself(.dispatch), run: run)) }
      waiter.answer(false)
    } else {
      core.value.interpreter.watch(number, waiter)
      perform()
    }
  }

  // MARK: - Reducing

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
    if core.value.showsTurns, run != .none, observers.pressure.holds(waiter, of: run) { return }
    waiter.answer(true)
  }

  /// A run is cancelled, which may be held back by who shows every turn, or be about to.
  @usableFromInline
  func letGo(of run: Token) {
    if core.value.deliveringRun == run { core.value.deliveringRun = .none }
    observers.pressure.letGo(of: run)
  }

  // MARK: - Performing

  /// Does what the interpreter asked for, from left to right. Everything is consistent by now, and whatever user code
  /// runs in here only enqueues (rule E8).
  @inlinable
  func perform() {
    guard core.value.interpreter.hasOutput else { return }
    // First: who is resumed below may look at once for what has been told.
    if core.value.outlet.isOn { tellNotes() }
    var commands: [Command] = []
    swap(&commands, &core.value.commands)
    swap(&commands, &core.value.interpreter.commands)
    for command in commands {
      switch command {
      case .start(let token):
        start(token, thrown: nil)
      case .recover(let token, let error):
        start(token, thrown: error)
      case .cancel(let token):
        if let task = core.value.running.take(token.slot)?.takeToCancel() { core.value.cancelled.append(task) }
        if core.value.cancelled.count == 16 || core.value.showsTurns { cancelTasks() }
        if core.value.showsTurns { letGo(of: token) }
      case .report(let failure):
        cancelTasks()
        onFailure(failure)
      case .resume(let waiter):
        cancelTasks()
        waiter.settle()
      }
    }
    empty(&commands)
    swap(&commands, &core.value.commands)
    var garbage: [Released] = []
    swap(&garbage, &core.value.garbage)
    core.value.interpreter.takeReleased(into: &garbage)
    if !garbage.isEmpty { cancelTasks() }
    empty(&garbage)
    swap(&garbage, &core.value.garbage)
  }

  /// Keeps the memory of what is emptied every few moments, and gives back that of a burst.
  @inlinable
  func empty<Element>(_ array: inout [Element]) {
    // Nearly always there is one, for which `removeAll` takes a long way.
    if array.count == 1 { array.removeLast() } else { array.removeAll(keepingCapacity: array.count <= 1_024) }
  }

  @inlinable
  func start(_ token: Token, thrown: (any Error)?) {
    guard let operation = core.value.interpreter.started(token) else { return }
    let body = RunBody(operation, token: token, mailbox: mailbox)
    core.value.running.use(token.slot)
    core.value.running[token.slot] = body
    if thrown != nil || body.priority != nil { cancelTasks() }
    if let thrown {
      // Detached: a run inherits neither priority nor task-locals of whoever triggered the drain (rule L6).
      Task.detached(priority: body.priority) { await body.recoverAlone(from: thrown) }
    } else if let priority = body.priority {
      Task.detached(priority: priority) { await body.executeAlone() }
    } else {
      core.value.ready.append(body)
      if core.value.ready.count == 16 { startReady() }
    }
  }

  /// Cancels the tasks of runs that are over: a few at a time, because each may wake a thread, and one that is awake has
  /// then more to do. They wait for no more than sixteen reductions of other turns. Before, no closure is called, no waiter
  /// resumed, no failure told and no state shown.
  // In two functions: what is called at every step is to be small.
  @inlinable
  func cancelTasks() {
    if !core.value.cancelled.isEmpty { cancelTasksNow() }
  }

  @inlinable @inline(never)
  func cancelTasksNow() {
    var tasks: [RunTask.Handle] = []
    swap(&tasks, &core.value.cancelled)
    // Runs the user's cancellation handlers: what they send waits.
    for task in tasks { task.cancel() }
    empty(&tasks)
    swap(&tasks, &core.value.cancelled)
  }

  /// Hands over the runs that are ready: a few at a time, because to wake a thread costs more than to run most of them.
  /// They wait for no more than sixteen reductions.
  @inlinable
  func startReady() {
    cancelTasks()
    if !core.value.ready.isEmpty { runs.add(&core.value.ready) }
  }

  /// Likewise, unless a task that goes on with runs drains: it calls their closures next.
  @inlinable @inline(never)
  func startReadyForOthers() {
    if activity.value.drain == .others { startReady() }
  }
}

extension TaskPriority {
  /// Where a priority is but the name of a thread pool, a drain is to share that of the runs it starts.
  #if canImport(Darwin)
    static let ofDrains = TaskPriority.high
  #else
    static let ofDrains = TaskPriority.medium
  #endif
}

/// Carries a store into a task that lets go of it before it ends.
// SAFETY: written when it is made and by the one task it is made for.
private final class Handoff<Value: AnyObject & Sendable>: @unchecked Sendable {
  private var value: Value?

  init(_ value: Value) {
    self.value = value
  }

  func take() -> Value? {
    defer { value = nil }
    return value
  }
}
