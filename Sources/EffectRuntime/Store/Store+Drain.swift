// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store: MailboxOwner {
  /// Drains soon, on the store's isolation, at one priority that does not depend on the sender (rule L6).
  @usableFromInline
  package nonisolated func scheduleDrain() {
    let first = Handoff(self)
    Task.detached(priority: .ofDrains) { [weak self] in
      // A slice holds the store; between two slices it is not held (rule E7). If the next slice were a task of its own,
      // that task could retain the store before this one releases it. This would continue as long as any message waits.
      guard await first.take()?.takeSlice() == true else { return }
      while await self?.takeSlice() == true {}
    }
  }

  private func takeSlice() -> Bool {
    mailbox.drainBegins()
    return slice(self)
  }

  /// Takes a slice in the task of a run that has ended. The task then continues with the runs that the slice makes
  /// ready.
  package func takeSlice(_ drain: MailboxDrain) -> Bool {
    // As below: the running slice must not be disturbed, so this one is run later.
    guard !activity.value.isDraining else {
      activity.value.isSliceOwed = true
      return false
    }
    activity.value.drain = drain
    defer { activity.value.drain = .others }
    return slice(self)
  }

  /// Takes a budget's worth of waiting messages; `true` if messages may remain.
  ///
  /// From here on, everything that most actions go through is inlinable, and is compiled with the reducer's own types
  /// where the store is made. The rest is called normally: it costs a task or a wait anyway, so inlining would not
  /// help.
  @inlinable
  func drainSlice() -> Bool {
    // User code that a slice calls has let the executor run this job (a nested run loop, a modal panel): do it later.
    if activity.value.isDraining {
      activity.value.isSliceOwed = true
      return false
    }
    activity.value.isDraining = true
    if hub.version != core.value.outlet.version { refreshListeners() }
    var left = drainBudget
    while left > 0 {
      let count = step(upTo: left)
      if count == 0 { break }
      left -= count
      handOverDue()
    }
    // A task that continues with runs calls their closures next, unless there is more to drain.
    if core.value.engine.interpreter.isTurnOpen {
      startReadyOfEndedTurns()
    } else if activity.value.drain == .others || left == 0 {
      startReady()
    }
    endSlice()
    return left == 0
  }

  package nonisolated func drainInline(from caller: (any Actor)?) {
    guard let caller, caller === isolation || caller === self else { return }
    assumeIsolated { $0.drainBeforeReading() }
  }

  /// Drains up to and including an action's turn, whatever the budget (rule L1), and this many other orders from
  /// outside (rule L2).
  @inlinable
  func drainInline(through number: UInt64, orders: UInt64 = 0) {
    activity.value.isDraining = true
    if hub.version != core.value.outlet.version { refreshListeners() }
    var steps = 0
    while core.value.engine.taken < number || core.value.engine.interpreter.isTurnOpen
      || core.value.ordersTaken < orders
    {
      steps &+= step(upTo: 1)
      handOverDue()
    }
    startReady()
    if core.value.outlet.isOn, steps > drainBudget { handleOther(.budgetExceeded(steps: steps)) }
    endSlice()
  }

  @inlinable
  func endSlice() {
    cancelTasks()
    showObservers()
    if core.value.position == core.value.batch.count { forgetTaken() }
    let hasTimedWork = core.value.engine.interpreter.hasTimedWork
    if hasTimedWork || activity.value.timer != nil || core.value.engine.isEnding { tend(hasTimedWork: hasTimedWork) }
    activity.value.isDraining = false
    // An open turn continues in the next slice, and hands its runs over when it ends.
    if !core.value.ready.isEmpty, !core.value.engine.interpreter.isTurnOpen {
      if activity.value.drain == .others {
        startReady()
      } else {
        if core.value.hasPriority { startPrioritised(of: &core.value.ready) }
        runs.leave(&core.value.ready)
        nothingIsDue()
      }
    }
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

  /// Checks whether the store has ended, and updates its timer.
  @usableFromInline
  func tend(hasTimedWork: Bool) {
    if core.value.engine.isEnding { handleOther(.rested) }
    if hasTimedWork || activity.value.timer != nil { setTimer() }
  }

  /// Takes all waiting messages; `false` if there are none.
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
    // These stamps belong to another batch.
    if !core.value.outlet.stamps.isEmpty { core.value.outlet.stamps = TraceStamps() }
    return mailbox.take(into: &batch, activity.value.drain)
  }

  /// Releases messages that have been taken: an action may own its store.
  @inlinable
  func forgetTaken() {
    // The array is emptied in a local variable, because the release of an action may run user code.
    var batch: [Message<R.Action>] = []
    swap(&batch, &core.value.batch)
    core.value.position = 0
    // After a burst the memory is released; the next actions need little of it.
    batch.removeAll(keepingCapacity: batch.count <= 1_024)
    core.value.batch = batch
    core.value.outlet.wipePage()
  }
}

extension TaskPriority {
  /// On platforms where a priority only selects a thread pool, a drain uses the priority of the runs that it starts.
  #if canImport(Darwin)
    static let ofDrains = TaskPriority.high
  #else
    static let ofDrains = TaskPriority.medium
  #endif
}

/// Carries a store into a task that releases it before the task ends.
// SAFETY: written when it is made and by the one task for which it is made.
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
