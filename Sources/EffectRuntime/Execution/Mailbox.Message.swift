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
  /// The closure of a run has returned or thrown.
  case ended(Token, (any Error)?)
  /// Something that is reported to the engine as it is.
  indirect case order(EngineInput<Action>)
  /// A dispatch is to be cancelled.
  case cancelDispatch(UInt64)
  /// The timer of that number has fired, or its clock threw an error.
  case timeCame(UInt64, (any Error)? = nil)
  /// An observer was added and must be shown the state, or the listeners of the trace have changed.
  case observe
}

extension Message {
  /// Answers the waiter of a message that will not be taken any more.
  package func storeIsGone() {
    if case .order(let input) = self { input.storeIsGone() }
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
