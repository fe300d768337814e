// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Performing what the engine puts out

extension Store {
  /// Performs the outputs in their order. The engine is consistent by now, and its turn has ended, unless there are only
  /// notes. What user code sends in here is only enqueued (rule E8).
  @inlinable
  func perform() {
    if !core.value.outputs.notes.isEmpty { makeEventsOfNotes() }
    if !core.value.outputs.steps.isEmpty { performSteps() }
    if !core.value.outputs.released.isEmpty { releaseWork() }
  }

  /// Performs the steps, and empties their list. First all tasks are cancelled that the turn cancels, and then come the
  /// steps that may run other user code.
  @inlinable
  func performSteps() {
    var steps: [EngineOutput] = []
    swap(&steps, &core.value.outputs.steps)
    var hasOthers = false
    for step in steps {
      switch step {
      case .start(let token, let operation):
        let body = body(of: operation, token)
        core.value.ready.append(body)
        if body.priority != nil { core.value.isReadyMixed = true }
      case .cancel(let token): cancel(token)
      default: hasOthers = true
      }
    }
    if !core.value.cancelled.isEmpty { cancelTasks() }
    if hasOthers {
      for step in steps { performOther(step) }
    }
    empty(&steps)
    swap(&steps, &core.value.outputs.steps)
  }

  /// Performs a step that is rare.
  @usableFromInline
  func performOther(_ step: EngineOutput) {
    switch step {
    case .start, .cancel: break
    case .answer(let waiter, let answer): waiter.answer(answer)
    case .settle(let waiter, let outcomes): waiter.settle(outcomes)
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
    if core.value.outlet.isOn { core.value.engine.scheduler.noteHandOver(of: token, to: body) }
    return body
  }

  /// Makes a task of its own for a run with a priority.
  @usableFromInline
  func startAlone(_ body: RunBody<R.Action>) {
    // Detached: a run inherits neither priority nor task-locals of the code that triggered the drain (rule L6).
    Task.detached(priority: body.priority) { await body.executeAlone() }
  }

  /// Makes tasks for runs with a priority, and removes these runs from the list.
  @usableFromInline
  func startPrioritised() {
    for case let body? in core.value.ready where body.priority != nil { startAlone(body) }
    core.value.ready.removeAll { $0?.priority != nil }
    core.value.isReadyMixed = false
  }

  /// Cancels a run. If its closure executes, its task is cancelled next; otherwise the closure is never called.
  @inlinable
  func cancel(_ token: Token) {
    if let task = core.value.running.take(token.slot)?.takeToCancel() { core.value.cancelled.append(task) }
  }

  /// Cancels the tasks of the runs that a turn has cancelled, before any other step of it is performed.
  @inlinable @inline(never)
  func cancelTasks() {
    var tasks: [RunTask.Handle] = []
    swap(&tasks, &core.value.cancelled)
    // Runs the user's cancellation handlers: what they send waits.
    for task in tasks { task.cancel() }
    empty(&tasks)
    swap(&tasks, &core.value.cancelled)
  }

  /// Hands the runs to tasks that the last turn has made ready.
  ///
  /// - Parameter isLast: whether the slice ends. If a task that continues with runs has taken it, this task calls their
  ///   closures next, and no other task is woken for them.
  @inlinable
  func startReady(isLast: Bool = false) {
    guard !core.value.ready.isEmpty else { return }
    if core.value.isReadyMixed { startPrioritised() }
    if isLast, activity.value.isInTaskOfRun { runs.leave(&core.value.ready) } else { runs.add(&core.value.ready) }
  }
}
