// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Performing what the engine puts out

extension Store {
  /// Performs the outputs in their order. The engine is consistent by now. What user code sends in here is only
  /// enqueued (rule E8).
  @inlinable
  func perform() {
    if !core.value.outputs.notes.isEmpty { makeEventsOfNotes() }
    if !core.value.outputs.steps.isEmpty { performSteps() }
    // Tasks that a turn cancels do not wait for its next action.
    if core.value.engine.interpreter.isTurnOpen { cancelTasks() }
    if !core.value.outputs.released.isEmpty { releaseWork() }
  }

  /// Performs the steps, and empties their list. Due tasks are cancelled before each step that may run other user code.
  @inlinable
  func performSteps() {
    var steps: [EngineOutput] = []
    swap(&steps, &core.value.outputs.steps)
    for step in steps {
      switch step {
      case .start(let token, let operation):
        start(body(of: operation, token))
      case .cancel(let token): cancel(token)
      case .answer(let waiter, let answer):
        cancelTasks()
        waiter.answer(answer)
      case .settle(let waiter, let outcomes):
        cancelTasks()
        waiter.settle(outcomes)
      default:
        cancelTasks()
        performOther(step)
      }
    }
    empty(&steps)
    swap(&steps, &core.value.outputs.steps)
  }

  /// Performs a step that is rare.
  @usableFromInline
  func performOther(_ step: EngineOutput) {
    switch step {
    case .start, .cancel, .answer, .settle: break
    case .startCatch(let token, let operation, let thrown):
      let body = body(of: operation, token)
      // Detached: a run inherits neither priority nor task-locals of the code that triggered the drain (rule L6).
      Task.detached(priority: body.priority) { await body.recoverAlone(from: thrown) }
    case .report(let failure): onFailure(failure)
    case .cutShort(let waiter): waiter.cutShort()
    case .continueLater: mailbox.post(.resumeTurn)
    case .shutdownCancels(let runs): cutShort.withLock { $0 = runs }
    case .storeEnded(let waiting): end(waiting)
    }
  }

  /// Releases work that has settled. This may run user code.
  @inlinable
  func releaseWork() {
    cancelTasks()
    var released: [Released] = []
    swap(&released, &core.value.outputs.released)
    empty(&released)
    swap(&released, &core.value.outputs.released)
  }

  /// Empties an array that is emptied often: keeps its memory, but releases the memory of a burst.
  @inlinable
  func empty<Element>(_ array: inout [Element]) {
    // Nearly always there is one element, for which `removeAll` is slow.
    if array.count == 1 { array.removeLast() } else { array.removeAll(keepingCapacity: array.count <= 1_024) }
  }

  // MARK: - Tasks

  /// Makes the body with which a task calls a closure, and keeps it by its slot.
  @inlinable
  func body(of operation: any AnyOperation, _ token: Token) -> RunBody<R.Action> {
    let body = RunBody(Effect<R.Action>.operation(of: operation), token: token, mailbox: mailbox)
    core.value.running.use(token.slot)
    core.value.running[token.slot] = body
    if core.value.outlet.isOn { core.value.engine.interpreter.noteHandOver(of: token, to: body) }
    return body
  }

  /// Makes a closure due for a task. One with a priority gets a task at once, unless a turn is open.
  @inlinable
  func start(_ body: RunBody<R.Action>) {
    // An action of this turn that is still to come may cancel the run: then its closure is never called (rule E3).
    let isTurnOpen = core.value.engine.interpreter.isTurnOpen
    if body.priority != nil, !isTurnOpen {
      cancelTasks()
      return startAlone(body)
    }
    core.value.ready.append(body)
    core.value.hasDue = true
    if body.priority != nil { core.value.hasPriority = true }
    if core.value.ready.count >= 16, !isTurnOpen { startReady() }
  }

  /// Makes a task of its own for a run with a priority.
  @usableFromInline
  func startAlone(_ body: RunBody<R.Action>) {
    // Detached: a run inherits neither priority nor task-locals of the code that triggered the drain (rule L6).
    Task.detached(priority: body.priority) { await body.executeAlone() }
  }

  /// Makes tasks for runs with a priority, and removes these runs from the list.
  @usableFromInline
  func startPrioritised(of bodies: inout [RunBody<R.Action>]) {
    for body in bodies where body.priority != nil { startAlone(body) }
    bodies.removeAll { $0.priority != nil }
  }

  /// Cancels a run. If its closure executes, its task becomes due to be cancelled; otherwise the closure is never
  /// called.
  @inlinable
  func cancel(_ token: Token) {
    if let task = core.value.running.take(token.slot)?.takeToCancel() {
      core.value.cancelled.append(task)
      core.value.hasDue = true
    }
    if core.value.cancelled.count == 16 { cancelTasks() }
  }

  /// After a reduction: hands over the due tasks if they have waited long enough (rule E8).
  @inlinable
  func handOverDue() {
    if core.value.hasDue { handOverDueNow() }
  }

  /// The same, if there may be a due task.
  @inlinable @inline(never)
  func handOverDueNow() {
    guard core.value.engine.interpreter.isTurnOpen else {
      core.value.readyOfEndedTurns = core.value.ready.count
      if core.value.due.haveWaited(at: SuspendingClock.now) { startReady() }
      return
    }
    // Tasks that earlier turns have made due do not wait for the end of this turn.
    guard core.value.readyOfEndedTurns > 0 || !core.value.cancelled.isEmpty else { return }
    if core.value.due.haveWaited(at: SuspendingClock.now) { startReadyOfEndedTurns() }
  }

  /// Cancels the tasks that are due to be cancelled, several at a time. Called before a closure is handed to a task, a
  /// waiter resumed, a failure reported or the state shown (rule E8).
  // In two functions, because the code that runs at every step must be small.
  @inlinable
  func cancelTasks() {
    if !core.value.cancelled.isEmpty { cancelTasksNow() }
  }

  /// The same, if there is such a task.
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

  /// Hands over the runs that are ready, several at a time, because to wake a thread costs more than most runs do. No
  /// turn is open.
  @inlinable
  func startReady() {
    cancelTasks()
    guard !core.value.ready.isEmpty else { return }
    if core.value.hasPriority { startPrioritised(of: &core.value.ready) }
    runs.add(&core.value.ready)
    nothingIsDue()
  }

  /// The same for runs of earlier turns, while a turn is open.
  @usableFromInline
  func startReadyOfEndedTurns() {
    cancelTasks()
    var earlier = Array(core.value.ready.prefix(core.value.readyOfEndedTurns))
    core.value.ready.removeFirst(earlier.count)
    if core.value.hasPriority { startPrioritised(of: &earlier) }
    if !earlier.isEmpty { runs.add(&earlier) }
    let hasDue = !core.value.ready.isEmpty
    nothingIsDue()
    core.value.hasDue = hasDue
    core.value.hasPriority = core.value.ready.contains { $0.priority != nil }
  }

  /// All tasks that were due have been handed over.
  @inlinable
  func nothingIsDue() {
    core.value.hasDue = false
    core.value.hasPriority = false
    core.value.readyOfEndedTurns = 0
    core.value.due.clear()
  }

  /// Hands over due tasks, unless a task that continues with runs drains: it calls their closures next.
  @inlinable @inline(never)
  func startReadyForOthers() {
    if activity.value.drain == .others { startReady() }
  }
}
