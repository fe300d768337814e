// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// A shell around an ``/EffectRuntime/Engine`` that takes a step when its owner calls it, and never by itself.
///
/// `TestStore` and the explored store are such shells. Both report events to the engine and perform its outputs with the code
/// below, so an output means the same in both. What differs between them is a requirement of this protocol, such as how a
/// task is made for a closure.
///
/// - Isolation: one thread at a time.
@usableFromInline
protocol ManualShell: AnyObject {
  associatedtype R: Reducer
  associatedtype Executor: ManualExecutor

  var engine: Engine<R> { get set }
  /// The outputs of the engine that are being performed. Empty between two events.
  var outputs: EngineOutputs<R.Action> { get set }
  var mailbox: Mailbox<R.Action> { get }
  /// The messages that were taken out of the mailbox together.
  var batch: [Message<R.Action>] { get set }
  /// How many messages of ``batch`` have been handled.
  var position: Int { get set }
  var executor: Executor { get }
  var clock: TestClock { get }
  var log: TestLog<R.Action> { get }

  /// Makes a task for the closure of a run, or for its `catch` closure.
  func start(_ body: RunBody<R.Action>, of operation: Effect<R.Action>.Operation)
  /// Cancels the task of a run. A run whose closure has returned is ignored.
  func cancel(_ run: Token)
  /// Reports that a run threw and has no `catch`, or that a reducer contains a mistake.
  func report(_ failure: EffectFailure)
  /// Called when everything that a waiter waits for has settled, with the outcomes if they were collected. The waiter is
  /// answered afterwards.
  func settled(_ waiter: Waiter, _ outcomes: RequestOutcomes?)
  /// Performs an output about a shutdown.
  func performEnding(_ step: EngineOutput)
  /// Called when a `.send` effect of the turn was dropped, because the branch that contains it was cancelled.
  func dropped(followUp action: R.Action)
  /// Called when a cancel has matched nothing.
  func missed(_ cancel: UnmatchedCancel)
}

/// The executor of a ``ManualShell``: runs jobs when it is called.
@usableFromInline
protocol ManualExecutor {
  /// Returns whether a message was posted since the last call. The call resets that.
  func takeNoteOfMail() -> Bool
}

extension ManualShell {
  /// Reports an event to the engine, and performs the outputs.
  @inlinable @inline(__always)
  func handle(_ input: Engine<R>.Input) {
    engine.handle(input, into: &outputs)
    if !outputs.isEmpty { perform() }
  }

  /// Reports an action from outside to the engine, as `handle(.action(...))` does, and performs the outputs. It costs less,
  /// because no enum is made with the action in it.
  @inlinable @inline(__always)
  func announce(_ action: R.Action, isRefusing: Bool, site: CallSite?) {
    engine.announce(action, isRefusing: isRefusing, site: site, into: &outputs)
    if !outputs.isEmpty { perform() }
  }

  /// Likewise an action of a run, as `handle(.sent(...))` does.
  @inlinable @inline(__always)
  func announce(_ action: R.Action, sentBy token: Token) {
    engine.announce(action, sentBy: token, into: &outputs)
    if !outputs.isEmpty { perform() }
  }

  /// Reports an event to the engine, and performs the outputs. `update` is called after the notes were added to the log and
  /// before any step is performed.
  @inlinable
  func handle(_ input: Engine<R>.Input, beforeSteps update: () -> Void) {
    engine.handle(input, into: &outputs)
    if !outputs.notes.isEmpty { keepNotes() }
    update()
    if !outputs.isEmpty { perform() }
  }

  /// The scheduler of the engine, for queries.
  @inlinable
  var scheduler: Scheduler {
    _read { yield engine.scheduler }
    _modify { yield &engine.scheduler }
  }

  /// Whether a message waits to be handled. Takes what is in the mailbox if all that was taken before has been handled.
  @inlinable
  var hasMail: Bool {
    if position < batch.count { return true }
    guard executor.takeNoteOfMail() else { return false }
    empty(&batch)
    position = 0
    return mailbox.takeAll(into: &batch)
  }

  /// Empties an array and keeps its memory.
  @inlinable
  func empty<Element>(_ array: inout [Element]) {
    // Nearly always there is one element or none. `removeAll` costs more for these.
    if array.count == 1 { array.removeLast() } else if !array.isEmpty { array.removeAll(keepingCapacity: true) }
  }
}

// MARK: - Performing the outputs of the engine

extension ManualShell {
  /// Performs the outputs: notes, steps, releases, and last the starts, as a store does (rule E8).
  @inlinable
  func perform() {
    if !outputs.notes.isEmpty { keepNotes() }
    if !outputs.steps.isEmpty { performSteps() } else if !outputs.released.isEmpty { releaseWork() }
  }

  @inlinable
  func performSteps() {
    var steps: [EngineOutput] = []
    swap(&steps, &outputs.steps)
    // The cancels first, as in a store: a waiter that is answered sees that they have been performed.
    for case .cancel(let token) in steps { cancel(token) }
    for step in steps {
      switch step {
      case .cancel, .start: break
      case .report(let failure): report(failure)
      case .settle(let waiter, let outcomes):
        settled(waiter, outcomes)
        waiter.answer(true)
      case .answer(let waiter, let answer): waiter.answer(answer)
      case .cutShort, .storeEnded, .shutdownReturns: performEnding(step)
      // A manual shell suspends no turn.
      case .continueLater: break
      }
    }
    if !outputs.released.isEmpty { releaseWork() }
    for case .start(let token, let operation) in steps {
      let operation = Effect<R.Action>.operation(of: operation)
      start(RunBody(operation, token: token, mailbox: mailbox), of: operation)
    }
    empty(&steps)
    swap(&steps, &outputs.steps)
  }

  /// Releases work that has settled. The `deinit` of a captured object may run here. No property of the shell is being
  /// accessed then, because the work was moved out of the outputs before.
  @inlinable
  func releaseWork() {
    var released: [Released] = []
    swap(&released, &outputs.released)
    empty(&released)
    swap(&released, &outputs.released)
  }

  /// Adds the events of the engine to the log, and reports each dropped follow-up and each cancel that matched nothing.
  // Inlinable, as `TestLog` is: it is called for each event of each step.
  @inlinable
  func keepNotes() {
    let now = clock.offset
    for var event in outputs.notes {
      event.moment = now
      log.add(event)
      switch event.kind {
      case .unmatched(let cancel): missed(cancel)
      case .dropped(let action, .followUp): dropped(followUp: action)
      default: break
      }
    }
    empty(&outputs.notes)
  }
}
