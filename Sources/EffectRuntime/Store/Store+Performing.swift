// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Doing what the interpreter asked for

extension Store {
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
        if let task = core.value.running.take(token.slot)?.takeToCancel() {
          core.value.cancelled.append(task)
          core.value.hasDue = true
        }
        if core.value.cancelled.count == 16 || core.value.showsTurns { cancelTasks() }
        if core.value.showsTurns { letGo(of: token) }
      case .report(let failure):
        cancelTasks()
        onFailure(failure)
      case .resume(let waiter, let outcomes):
        cancelTasks()
        waiter.settle(outcomes)
      case .refuse(let waiter):
        cancelTasks()
        waiter.answer(false)
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
    guard let operation = looking({ core.value.interpreter.started(token) }) else { return }
    let body = RunBody(operation, token: token, mailbox: mailbox)
    core.value.running.use(token.slot)
    core.value.running[token.slot] = body
    if core.value.outlet.isOn { core.value.interpreter.noteHandOver(of: token, to: body) }
    if thrown != nil || body.priority != nil { cancelTasks() }
    if let thrown {
      // Detached: a run inherits neither priority nor task-locals of whoever triggered the drain (rule L6).
      Task.detached(priority: body.priority) { await body.recoverAlone(from: thrown) }
    } else if let priority = body.priority {
      Task.detached(priority: priority) { await body.executeAlone() }
    } else {
      core.value.ready.append(body)
      core.value.hasDue = true
      if core.value.ready.count == 16 { startReady() }
    }
  }

  /// After a reduction: hands over the tasks that are due if they have waited long enough (rule E8).
  @inlinable
  func handOverDue() {
    if core.value.hasDue { handOverDueNow() }
  }

  @inlinable @inline(never)
  func handOverDueNow() {
    if core.value.due.haveWaited(at: SuspendingClock.now) { startReady() }
  }

  /// Cancels the tasks of runs that are over, several at a time. Until then no closure is called, no waiter resumed, no
  /// failure reported and no state shown.
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
    if core.value.ready.isEmpty { nothingIsDue() }
  }

  /// Hands over the runs that are ready, several at a time, because to wake a thread costs more than most of them do.
  @inlinable
  func startReady() {
    cancelTasks()
    guard !core.value.ready.isEmpty else { return }
    runs.add(&core.value.ready)
    nothingIsDue()
  }

  @inlinable
  func nothingIsDue() {
    core.value.hasDue = false
    core.value.due.clear()
  }

  /// Likewise, unless a task that goes on with runs drains: it calls their closures next.
  @inlinable @inline(never)
  func startReadyForOthers() {
    if activity.value.drain == .others { startReady() }
  }
}
