// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// One message that waits in a mailbox.
///
/// The largest messages are boxed. Every message takes as much memory as the largest one, and nearly all are actions.
@usableFromInline
package enum Message<Action: Sendable>: Sendable {
  /// An action from outside. These are numbered in the order in which they wait.
  case action(Action)
  /// An action of a run.
  case sent(Action, by: Token)
  /// An action of a run that waits for the result of its delivery.
  indirect case delivered(Action, by: Token, Waiter)
  /// An action of a run whose closure has returned, maybe with a waiter for its delivery.
  indirect case late(Action, by: Token, EndedRun, Waiter?)
  /// The closure of a run has returned or thrown.
  case ended(Token, (any Error)?)
  /// A caller waits until a dispatch has settled. The token names the run that the caller is in, if any.
  indirect case watch(UInt64, Waiter, from: Token)
  /// A dispatch is to be cancelled.
  case cancelDispatch(UInt64)
  /// The outcomes of everything that the next action from outside causes are to be collected. The number is that of its
  /// dispatch.
  case collectOutcomes(UInt64)
  /// The store is to shut down. The token names the run that the caller is in, if any.
  indirect case shutDown(Shutdown, Waiter, from: Token)
  /// A caller of `shutdown` does not wait any longer.
  case shutdownExpired(Waiter)
  /// The rest of a turn that grew too long (rule T5).
  case resumeTurn
  /// The timer of that number has fired, or its clock threw an error. In an exploration: the step of the script of that number
  /// cancels ids.
  case timeCame(UInt64, (any Error)? = nil)
  /// The clock cannot wait for the limit of a shutdown.
  indirect case limitFailed(ClockFailure)
  /// An observer was added and must be shown the state, or the listeners of the trace have changed.
  case observe
  /// A run sleeps on the store's clock. Only for listeners.
  indirect case slept(Token, until: Duration)
  /// A task is about to call the closure of a run. Only for listeners.
  case began(Token)
  /// An action from outside came after a shutdown. Only for listeners.
  indirect case refused(Action, CallSite?)
}

extension Message {
  /// Answers the waiter of a message that will not be taken any more.
  package func storeIsGone() {
    switch self {
    case .delivered(_, _, let waiter): waiter.answer(false)
    case .late(_, _, _, let waiter): waiter?.answer(false)
    case .watch(_, let waiter, _), .shutDown(_, let waiter, _), .shutdownExpired(let waiter): waiter.answer(true)
    case .action, .sent, .ended, .cancelDispatch, .collectOutcomes: break
    case .resumeTurn, .timeCame, .limitFailed, .observe, .slept, .began, .refused: break
    }
  }
}

extension Message {
  /// Whether it is an action that this run has sent.
  package func isAction(of token: Token) -> Bool {
    if case .sent(_, token) = self { true } else { false }
  }

  /// Whether it reports the end of this run.
  package func isEnd(of token: Token) -> Bool {
    if case .ended(token, _) = self { true } else { false }
  }
}
