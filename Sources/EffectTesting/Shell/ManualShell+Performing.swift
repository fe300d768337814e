// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// MARK: - Performing the outputs of the engine

extension ManualShell {
  /// Performs the outputs: notes, steps, releases (rule E8). Tasks are made among the steps, and execute later.
  @inlinable
  func perform() {
    if !outputs.notes.isEmpty { keepNotes() }
    if !outputs.steps.isEmpty { performSteps() }
    if !outputs.released.isEmpty { releaseWork() }
  }

  @inlinable
  func performSteps() {
    var steps: [EngineOutput] = []
    swap(&steps, &outputs.steps)
    // The cancels first, as in a store: a waiter that is answered sees that they have been performed.
    for case .cancel(let token) in steps { cancel(token) }
    for step in steps {
      switch step {
      case .cancel: break
      case .start(let token, let operation): start(token, operation, thrown: nil)
      case .startCatch(let token, let operation, let error): start(token, operation, thrown: error)
      case .report(let failure): report(failure)
      case .settle(let waiter, let outcomes):
        settled(waiter, outcomes)
        waiter.answer(true)
      case .answer(let waiter, let answer): waiter.answer(answer)
      case .cutShort, .shutdownCancels, .storeEnded: performEnding(step)
      // A manual shell suspends no turn.
      case .continueLater: break
      }
    }
    empty(&steps)
    swap(&steps, &outputs.steps)
  }

  @inlinable
  func start(_ token: Token, _ operation: any AnyOperation, thrown: (any Error)?) {
    let operation = Effect<R.Action>.operation(of: operation)
    start(RunBody(operation, token: token, mailbox: mailbox), of: operation, thrown: thrown)
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

  /// Adds the notes of the engine to the log, and reports each dropped follow-up and each cancel that matched nothing.
  // Inlinable, as `TestLog` is: it is called for each event of each step.
  @inlinable
  func keepNotes() {
    let now = clock.offset
    for note in outputs.notes {
      log.add(note, at: now)
      if let cancel = note.unmatched { missed(cancel) }
      if note.shape == .dropped, note.origin.form == .followUp, let action = note.action { dropped(followUp: action) }
    }
    empty(&outputs.notes)
  }
}
