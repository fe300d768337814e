// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// An event, as a shell reports it to its engine.
@usableFromInline
package enum EngineInput<Action: Sendable>: Sendable {
  /// An action from outside: the next one in the order of their numbers, which begin with 1.
  ///
  /// - Parameters:
  ///   - isRefusing: the sender has cancelled what the action causes: it is reduced, and its runs do not start.
  ///   - site: the line of the sender, for listeners.
  case action(Action, isRefusing: Bool = false, site: CallSite? = nil)
  /// An action of a run, with the token of the run. If the token is not valid any more, the action is dropped (rule E1).
  case sent(Action, by: Token)
  /// An action of a run whose sender waits until it has been reduced: the waiter is answered at the end of the turn.
  case delivered(Action, by: Token, Waiter)
  /// The same, with or without a waiter, of a run whose closure has returned. If it is dropped, that is reported once.
  case late(Action, by: Token, any ClosureOfRun, Waiter?)
  /// The open turn goes on: reduces its next action, or ends it. Without an open turn nothing happens.
  case continueTurn
  /// The remaining actions of the open turn are not reduced. What waits for them continues, as if they had been
  /// reduced without an effect.
  case dropTurn
  /// The rest of a turn that was suspended goes on (see ``EngineOutput/continueLater``).
  case resumeTurn
  /// A closure has returned or thrown.
  case ended(Token, (any Error)?)
  /// A closure sleeps until a moment of the store's clock, for listeners.
  case slept(Token, until: Duration)
  /// A task calls a closure, for listeners. Only for a shell that calls `noteHandOver(of:to:)` for each closure.
  case called(Token)
  /// The next deadline has come. Before it, nothing happens.
  case deadline
  /// Time has passed, and no deadline has come. Removes windows that have ended.
  case timePassed
  /// The clock does not sleep until the next deadline, or until the limit of a shutdown.
  case clockFailed(ClockFailure)
  /// A sender cancels what its action causes, by the action's number.
  case senderCancelled(UInt64)
  /// These ids are cancelled from outside.
  case cancel(Set<EffectID>)
  /// All work is cancelled from outside.
  case cancelEverything
  /// A waiter waits until all that an action causes has settled, by the action's number. The token names the run that
  /// the waiter is inside; `.none` if it is inside none.
  case watch(UInt64, Waiter, from: Token)
  /// The outcomes of all that the next action from outside causes are collected. The value is the number of that
  /// action.
  case collectOutcomes(UInt64)
  /// No further action comes from outside, and the store ends. The waiter waits for that; the token is as for
  /// `watch`.
  case shutDown(Shutdown, Waiter, from: Token)
  /// A caller of `shutdown` does not wait any longer, because of its limit or of its cancellation: all work is cancelled.
  case shutdownExpired(Waiter)
  /// A slice of work is over, and all observers have seen the state. A store that was shut down may end now.
  case rested
  /// An action from outside was refused, for listeners.
  case refused(Action, CallSite?)
  /// A drain has taken more steps than its budget, for listeners.
  case budgetExceeded(steps: Int)
}

extension EngineInput {
  /// Answers the waiter of an input that will not be reported any more.
  package func storeIsGone() {
    switch self {
    case .delivered(_, _, let waiter): waiter.answer(false)
    case .late(_, _, _, let waiter): waiter?.answer(false)
    case .watch(_, let waiter, _), .shutDown(_, let waiter, _), .shutdownExpired(let waiter): waiter.answer(true)
    default: break
    }
  }
}
