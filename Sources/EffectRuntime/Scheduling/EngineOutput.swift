// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// One thing that a shell does.
@usableFromInline
package enum EngineOutput: Sendable {
  /// Make a task for the closure of a run, or for its `catch` closure. Not among the outputs if the turn that starts it also
  /// cancels it (rule E3).
  case start(Token, any AnyOperation)
  /// Cancel the task of a run.
  case cancel(Token)
  /// Report a failure to the user: an error without a `catch`, or a mistake in how effects are used.
  indirect case report(EffectFailure)
  /// Settle a waiter: what it waits for has settled. With the outcomes, if they were collected.
  indirect case settle(Waiter, RequestOutcomes?)
  /// Answer a waiter: `false` ends a wait that would never end. To a sender it means that its action was dropped.
  case answer(Waiter, Bool)
  /// Notify a waiter that a shutdown cancels a part of what it waits for.
  case cutShort(Waiter)
  /// Report ``EngineInput/resumeTurn`` later, behind all that waits (rule T5).
  case continueLater
  /// End the store.
  case storeEnded
  /// Answer these callers of `shutdown`, which return these runs.
  indirect case shutdownReturns([Waiter], [EffectRun])
}

extension Effect {
  /// The operation of an output of an engine that reduces this type of action.
  @inlinable
  package static func operation(of output: any AnyOperation) -> Operation {
    // SAFETY: an engine outputs operations of effects that its own reducer returned, which have its action type.
    unsafe unsafeDowncast(output, to: Operation.self)
  }
}
