// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Performing what the engine puts out

extension Store {
  /// Performs the outputs, in the order that `EngineOutputs` tells, and hands over the runs that they start. The engine is
  /// consistent by now, and its turn has ended, unless there are only notes. What user code sends in here is only enqueued
  /// (rule E8).
  @inlinable
  func perform() {
    if !core.value.outputs.notes.isEmpty { tellNotes() }
    if !core.value.outputs.steps.isEmpty { performSteps() }
    if !core.value.outputs.released.isEmpty { releaseWork() }
    handOver(at: .turnEnd(hasMessages: core.value.position < core.value.batch.count))
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
        core.value.ready.add(body(of: operation, token))
      case .cancel(let token): cancel(token)
      default: hasOthers = true
      }
    }
    if !core.value.ready.cancelled.isEmpty { cancelTasks() }
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
    case .report(let failure): onFailure(failure)
    case .cutShort(let waiter): waiter.cutShort()
    case .continueLater: mailbox.post(.order(.resumeTurn))
    case .storeEnded: end()
    case .shutdownReturns(let waiting, let runs):
      cutShort.withLock { $0 = runs }
      for waiter in waiting { waiter.answer(true) }
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

  /// Cancels a run. If its closure executes, its task is cancelled next; otherwise the closure is never called.
  @inlinable
  func cancel(_ token: Token) {
    if let task = core.value.running.take(token.slot)?.takeToCancel() { core.value.ready.cancel(task) }
  }

  /// Cancels the tasks of the runs that a turn has cancelled, before any other step of it is performed.
  @inlinable @inline(never)
  func cancelTasks() {
    var tasks: [RunTask.Handle] = []
    swap(&tasks, &core.value.ready.cancelled)
    // Runs the user's cancellation handlers: what they send waits.
    for task in tasks { task.cancel() }
    empty(&tasks)
    swap(&tasks, &core.value.ready.cancelled)
  }

  /// Hands runs that are ready to tasks, if they are due at this moment.
  @inlinable
  func handOver(at moment: ReadyRuns<R.Action>.Moment) {
    let decision = core.value.ready.decision(at: moment, isInTaskOfRun: activity.value.isInTaskOfRun)
    if decision == .keep { return }
    if core.value.ready.hasPriorities { core.value.ready.takePrioritised().forEach(startAlone) }
    if decision == .leave { runs.leave(&core.value.ready.runs) } else { runs.add(&core.value.ready.runs) }
  }
}
