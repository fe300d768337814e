// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store: MailboxOwner {
  /// Drains soon, on the store's isolation, at one priority that does not depend on the sender (rule L6).
  @usableFromInline
  package nonisolated func scheduleDrain() {
    let first = Handoff(self)
    Task.detached(priority: .ofDrains) { [mailbox, weak self] in
      // The task of a run drains already.
      guard mailbox.drainBegins() else { return }
      // A slice holds the store; between two slices it is not held (rule E7). If the next slice were a task of its own,
      // that task could retain the store before this one releases it, and the store would be kept as long as any
      // message waits.
      guard await first.take()?.takeSlice() == true else { return }
      while await self?.takeSlice() == true {}
    }
  }

  /// Takes a slice in the task of a scheduled drain.
  private func takeSlice() -> Bool { slice(self) }

  /// Takes a slice in the task of a run that has ended. The task then continues with the runs that the slice makes
  /// ready.
  package func takeSliceInTaskOfRun() -> Bool {
    if putOffSliceIfDraining() { return false }
    activity.value.isInTaskOfRun = true
    defer { activity.value.isInTaskOfRun = false }
    return slice(self)
  }

  /// Puts the slice off, and returns `true`, if the store is draining already: user code that a slice calls has let the executor
  /// run this job (a nested run loop, a modal panel). Another drain is scheduled when that slice ends.
  @inlinable
  func putOffSliceIfDraining() -> Bool {
    guard activity.value.isDraining else { return false }
    activity.value.isSliceOwed = true
    mailbox.putOffDrain()
    return true
  }

  /// Takes a budget's worth of waiting messages; `true` if messages may remain.
  ///
  /// The functions that handle most actions are inlinable, from this one on. They are compiled with the reducer's own
  /// types where the store is made. The other functions are called normally. What they do takes a task or a wait, so
  /// inlining would not help.
  @inlinable
  func drainSlice() -> Bool {
    if putOffSliceIfDraining() { return false }
    activity.value.isDraining = true
    if hub.version != core.value.outlet.version { refreshListeners() }
    var left = drainBudget
    while left > 0 {
      let count = step(upTo: left)
      if count == 0 { break }
      left -= count
      if core.value.showsTurns { showTurn() }
    }
    if left == 0 { handOver(at: .goesOn) }
    endSlice()
    return left == 0
  }

  /// On the store's own isolation, handles what came from outside before. On another isolation it does nothing.
  package nonisolated func drainInline(from caller: (any Actor)?) {
    guard let caller, caller === isolation || caller === self else { return }
    assumeIsolated { $0.drainBeforeReading() }
  }

  /// Drains without a budget: up to the end of the turn of the action with this number (rule L1), and until this many
  /// other orders from outside have been taken, counted from the first one ever (rule L2). Both must have been
  /// accepted. If the action was sent just now, and nothing is handled before it, it is not late.
  @inlinable
  func drainInline(through number: UInt64, orders: UInt64 = 0, isSent: Bool = false) {
    activity.value.isDraining = true
    if hub.version != core.value.outlet.version { refreshListeners() }
    var steps = 0
    core.value.engine.isLate = !isSent || core.value.engine.taken + 1 < number
    while core.value.engine.taken < number || core.value.engine.isTurnOpen
      || core.value.ordersTaken < orders
    {
      steps &+= step(upTo: 1)
      core.value.engine.isLate = true
      if core.value.showsTurns { showTurn() }
    }
    if core.value.outlet.isOn, steps > drainBudget { handleOther(.budgetExceeded(steps: steps)) }
    endSlice()
  }

  /// Ends a slice: shows the state to observers, releases handled messages, updates the timer, and hands over the runs that
  /// are ready.
  @inlinable
  func endSlice() {
    showObservers()
    if core.value.position == core.value.batch.count { forgetTaken() }
    releasePeak()
    let hasTimedWork = core.value.engine.scheduler.hasTimedWork
    if hasTimedWork || activity.value.timer != nil || core.value.engine.isEnding { tend(hasTimedWork: hasTimedWork) }
    activity.value.isDraining = false
    handOver(at: .drained)
    if activity.value.isSliceOwed {
      activity.value.isSliceOwed = false
      scheduleDrain()
    }
  }

  /// Releases the memory that a peak of runs has taken, when few of them remain. Not while a turn is open: it may have cancelled
  /// runs whose tasks are cancelled at its end, and these are found by their slots.
  // A function of its own, because it is compiled once for all clients, and nearly always only compares two numbers.
  @usableFromInline
  func releasePeak() {
    guard !core.value.engine.isTurnOpen else { return }
    if let size = core.value.engine.scheduler.shrink() { core.value.running.shrink(to: size) }
  }

  /// Shows the state and the changed statuses to observers. Without an observer it costs a few comparisons.
  @inlinable
  func showObservers() {
    if observers.slices.isWatched { observers.slices.offer(core.stateInPlace()) { presentEffects() } }
    if observers.isStatusWatched || core.value.outlet.isOn { offerStatuses() }
  }

  /// Shows the state to observers of every turn, unless a turn is open.
  @usableFromInline
  func showTurn() {
    guard !core.value.engine.isTurnOpen else { return }
    observers.turns.offer(core.stateInPlace()) { presentEffects() }
    core.value.showsTurns = observers.turns.isWatched
  }

  /// Ends a store that was shut down and has no more work, and updates the timer.
  @usableFromInline
  func tend(hasTimedWork: Bool) {
    if core.value.engine.isEnding { handleOther(.rested) }
    if hasTimedWork || activity.value.timer != nil { setTimer() }
  }

  /// Takes all messages out of the mailbox, when the batch has been handled; `false` if there are none.
  @inlinable
  func refill() -> Bool {
    forgetTaken()
    var batch: [Message<R.Action>] = []
    swap(&batch, &core.value.batch)
    defer { core.value.batch = batch }
    // These stamps belong to another batch.
    if !core.value.outlet.stamps.isEmpty {
      let isOn = core.value.outlet.isOn
      if isOn { core.value.outlet.stamps.removeAll() } else { core.value.outlet.stamps = TraceStamps() }
    }
    // With the stamps, if there are any, also without a listener: one may be added on another thread meanwhile.
    return mailbox.take(into: &batch, stamps: &core.value.outlet.stamps)
  }

  /// Releases the messages of the batch, which have all been handled. An action that is kept could keep its store
  /// alive.
  @inlinable
  func forgetTaken() {
    // The array is emptied in a local variable, because the release of an action may run user code.
    var batch: [Message<R.Action>] = []
    swap(&batch, &core.value.batch)
    core.value.position = 0
    // After a burst the memory is released; the next actions need little of it.
    batch.removeAll(keepingCapacity: batch.count <= 1_024)
    core.value.batch = batch
  }
}

extension TaskPriority {
  /// The priority of drains (rule L6). On platforms where a priority only selects a thread pool, it is that of the runs
  /// that a drain starts.
  #if canImport(Darwin)
    static let ofDrains = TaskPriority.high
  #else
    static let ofDrains = TaskPriority.medium
  #endif
}

/// Passes an object to a task that releases it before the task ends.
// SAFETY: written when it is made, and then used only by the one task for which it is made.
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

// MARK: - Reporting events to the engine

extension Store {
  /// Reports one event, and performs the outputs.
  @inlinable @inline(__always)
  func handle(_ input: Engine<R>.Input) {
    core.value.engine.handle(input, into: &core.value.outputs)
    if !core.value.outputs.isEmpty { perform() }
  }

  /// The same, for events that are rare.
  // A function of its own: where it is inlined, an event takes more than a kilobyte of code.
  @usableFromInline
  func handleOther(_ input: Engine<R>.Input) { handle(input) }

  /// Takes steps, up to a limit: handles actions, other messages and due deadlines, and refills the batch. Returns the
  /// number of steps; 0 if no message remains.
  @inlinable
  func step(upTo limit: Int) -> Int {
    while true {
      let count = takeActions(upTo: core.value.showsTurns ? 1 : limit)
      if count > 0 { return count }
      if takeOne() { return 1 }
      if core.value.engine.scheduler.hasAlarms, fireDueDeadline() { return 1 }
      guard refill() else { return 0 }
      handOver(at: .goesOn)
    }
  }

  /// Takes actions until another message comes, there is an output, or the limit is reached. Returns their number. With
  /// a listener it takes none.
  @inlinable
  func takeActions(upTo limit: Int) -> Int {
    let count = core.value.engine.handle(
      actionsUpTo: limit, into: &core.value.outputs, isRefusing: { mailbox.isCancelled($0) },
      from: { core.value.nextAction() })
    if !core.value.outputs.isEmpty { perform() }
    return count
  }

  /// Takes any message, or the next action of the open turn; `false` if there is none.
  @inlinable
  func takeOne() -> Bool {
    if core.value.engine.isTurnOpen {
      handle(.continueTurn)
      return true
    }
    guard core.value.position < core.value.batch.count else { return false }
    if core.value.outlet.isTimed { core.value.outlet.now = mailbox.now }
    let message = core.value.batch[core.value.position]
    core.value.position += 1
    take(message)
    return true
  }

  /// Reports a message to the engine, and performs the outputs.
  @inlinable
  func take(_ message: Message<R.Action>) {
    switch message {
    case .ended(let token, let error):
      // The closure of an attempt that ran out of time no longer belongs to the slot.
      if core.value.running.isUsed(token.slot), core.value.running[token.slot]?.token == token {
        core.value.running[token.slot] = nil
      }
      handle(.ended(token, error))
    case .action(let action):
      let site = core.value.outlet.stamps.site(of: core.value.position - 1)
      let isRefusing = mailbox.isCancelled(core.value.engine.taken + 1)
      core.value.engine.announce(action, isRefusing: isRefusing, site: site, into: &core.value.outputs)
      if !core.value.outputs.isEmpty { perform() }
      reduceHeld()
    case .sent(let action, let token):
      core.value.engine.announce(action, sentBy: token, into: &core.value.outputs)
      if !core.value.outputs.isEmpty { perform() }
      reduceHeld()
    // Here, where it is compiled for the reducer: each element of a stream is delivered.
    case .order(.delivered(let action, let token, let waiter)):
      handle(.delivered(action, by: token, waiter))
      reduceHeld()
    default:
      takeOrder(message)
    }
  }

  /// Reduces an action that was taken, after listeners have been notified of it.
  @inlinable
  func reduceHeld() {
    if core.value.engine.isHolding { handle(.continueTurn) }
  }

  /// Handles a message that is neither an action nor the end of a run.
  @usableFromInline
  func takeOrder(_ message: Message<R.Action>) {
    switch message {
    case .action, .sent, .ended: break
    case .order(let input):
      handleOther(input)
      reduceHeld()
    case .cancelDispatch(let number):
      core.value.ordersTaken += 1
      mailbox.forgetCancelled(number)
      handleOther(.senderCancelled(number))
    case .timeCame(let number, let error): timeCame(number, error)
    case .observe:
      // The end of the step or of the slice shows the state to every observer, and so to the new one.
      if hub.version != core.value.outlet.version { refreshListeners() }
      core.value.showsTurns = observers.turns.isWatched
    }
  }
}
