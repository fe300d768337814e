// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// What a shell performs after a call of its engine: first the notes, then the steps, then the releases, each from left
/// to right (rule E8). A shell reports the next input only after it has performed all of them.
@usableFromInline
package struct EngineOutputs<Action: Sendable> {
  /// What listeners are notified of. Empty while there is none.
  @usableFromInline package var notes: [EngineNote<Action>] = []
  /// What the shell does.
  @usableFromInline package var steps: [EngineOutput] = []
  /// Work that has settled. Its release may run user code, such as the `deinit` of a captured object.
  @usableFromInline package var released: [Released] = []
  /// Other values whose release may run user code.
  @usableFromInline package var forgotten: [any Sendable] = []

  @inlinable
  package init() {}

  /// Whether there is nothing to do.
  @inlinable
  package var isEmpty: Bool { notes.isEmpty && steps.isEmpty && released.isEmpty && forgotten.isEmpty }
}

/// One thing that a shell does.
@usableFromInline
package enum EngineOutput: Sendable {
  /// Make a task for the closure of a run.
  case start(Token, any AnyOperation)
  /// Make a task for the `catch` closure of a run that threw.
  indirect case startCatch(Token, any AnyOperation, thrown: any Error)
  /// Cancel the task of a run.
  case cancel(Token)
  /// Report a failure to the user.
  indirect case report(EffectFailure)
  /// What a waiter waits for has settled; with the outcomes, if they were collected.
  indirect case settle(Waiter, RequestOutcomes?)
  /// Answer a waiter.
  case answer(Waiter, Bool)
  /// The action of a sender that waits has been reduced, with all its turn. `isActive` is false if the run was cancelled in it.
  case answerSender(Waiter, by: Token, isActive: Bool)
  /// A shutdown cancels a part of what a waiter waits for.
  case cutShort(Waiter)
  /// A turn has ended; only while ``Engine/showsTurns`` is set.
  case showTurn
  /// Report ``Engine/Input/resumeTurn`` later, behind all that waits (rule T5).
  case continueLater
  /// A shutdown cancels these runs, in the next steps.
  case shutdownCancels([EffectRun])
  /// The store has ended, for these waiters.
  case storeEnded([Waiter])
}

extension Effect {
  /// The operation of an output of an engine that reduces this type of action.
  @inlinable
  package static func operation(of output: any AnyOperation) -> Operation {
    // SAFETY: an engine outputs operations of effects that its own reducer returned, which have its action type.
    unsafe unsafeDowncast(output, to: Operation.self)
  }
}

/// An event for listeners.
@usableFromInline
package struct EngineNote<Action: Sendable> {
  @usableFromInline package let number: UInt64
  /// The number of the event it follows from.
  @usableFromInline package let cause: UInt64?
  @usableFromInline package let content: Content

  @usableFromInline
  package enum Content {
    /// An action was taken. The shell knows when it was accepted.
    case accepted(Action, TraceOrigin)
    case reduced(Action, TraceOrigin)
    case dropped(Action, TraceOrigin)
    case refused(Action, CallSite?)
    /// Anything that is not about one action.
    indirect case other(TraceEvent<Never>.Kind)
  }

  @inlinable
  init(_ number: UInt64, after cause: UInt64?, _ content: Content) {
    self.number = number
    self.cause = cause
    self.content = content
  }
}

extension EngineNote {
  /// The same as a part of an event. `known` converts the action to the type that listeners get.
  @usableFromInline
  package func kind<Known>(_ known: (Action) -> Known) -> TraceEvent<Known>.Kind {
    switch content {
    case .accepted(let action, let origin): .accepted(known(action), origin.source)
    case .reduced(let action, let origin): .reduced(known(action), origin.source)
    case .dropped(let action, let origin): .dropped(known(action), origin.source)
    case .refused(let action, let site): .refused(known(action), site)
    case .other(let kind): Self.kind(kind)
    }
  }

  private static func kind<Known>(_ kind: TraceEvent<Never>.Kind) -> TraceEvent<Known>.Kind {
    switch kind {
    case .run(let run, let event): .run(run, event)
    case .unmatched(let effect): .unmatched(effect)
    case .status(let id, let status): .status(id, status)
    case .dispatchCancelled(let number): .dispatchCancelled(number)
    case .turnSuspended(let actions): .turnSuspended(actions: actions)
    case .budgetExceeded(let steps): .budgetExceeded(steps: steps)
    case .shutdown(let stage): .shutdown(stage)
    case .lost(let count): .lost(count)
    }
  }
}
