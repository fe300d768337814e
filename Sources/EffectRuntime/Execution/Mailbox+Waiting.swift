// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// What waits, for a shell that chooses which message comes next.
extension Mailbox {
  /// Whether the end of a run has been posted and not taken. O(number of waiting messages).
  package func holdsEnd(of token: Token) -> Bool {
    queue.withLock { $0.messages.contains { $0.isEnd(of: token) } }
  }

  /// Whether an action that a run has sent, without waiting for its delivery, has been posted and not taken. O(number of
  /// waiting messages).
  package func holdsAction(of token: Token) -> Bool {
    queue.withLock { $0.messages.contains { $0.isAction(of: token) } }
  }

  /// The messages that wait.
  package var waiting: [Message<Action>] { queue.withLock { $0.messages } }
}
