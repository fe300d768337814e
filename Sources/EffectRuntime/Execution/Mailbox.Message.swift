// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// One thing that waits in a mailbox.
///
/// Those that carry most are boxed: every message takes as much room as the largest one, and nearly all are actions.
@usableFromInline
package enum Message<Action: Sendable>: Sendable {
  /// An action from outside; they are numbered in the order they wait.
  case action(Action)
  /// An action of a run.
  case sent(Action, by: Token)
  /// An action of a run that wants to know what became of it.
  indirect case delivered(Action, by: Token, Waiter)
  /// The closure of a run has returned or thrown.
  case ended(Token, (any Error)?)
  /// Somebody waits until a dispatch has settled; from inside the run named, if any.
  indirect case watch(UInt64, Waiter, from: Token)
  /// A dispatch is to be cancelled.
  case cancelDispatch(UInt64)
  /// The outcomes of these ids are to be kept; once for each time an id is in there.
  indirect case keepOutcomes([EffectID])
  /// They need not be kept any longer, on behalf of that message.
  indirect case releaseOutcomes([EffectID])
  /// The outcomes of all that the next action from outside causes are to be collected; the number is that of its dispatch.
  case collectOutcomes(UInt64)
  /// The store is to come to its end; from inside the run named, if any.
  indirect case shutDown(Shutdown, Waiter, from: Token)
  /// The rest of a turn that grew too long (rule T5).
  case resumeTurn
  /// The timer of that number has gone off, or its clock threw an error.
  case timeCame(UInt64, (any Error)? = nil)
  /// An observer has come and wants to see the state.
  case observe
  /// A run sleeps on the store's clock; for those who listen.
  indirect case slept(Token, until: Duration)
  /// A task is about to call the closure of a run; likewise.
  case began(Token)
  /// An action from outside came too late; likewise.
  indirect case refused(Action, CallSite?)
}

extension Message {
  /// Answers whoever waits for a message that will not be taken any more.
  package func storeIsGone() {
    switch self {
    case .delivered(_, _, let waiter): waiter.answer(false)
    case .watch(_, let waiter, _), .shutDown(_, let waiter, _): waiter.answer(true)
    case .action, .sent, .ended, .cancelDispatch, .keepOutcomes, .releaseOutcomes, .collectOutcomes: break
    case .resumeTurn, .timeCame, .observe, .slept, .began, .refused: break
    }
  }
}
