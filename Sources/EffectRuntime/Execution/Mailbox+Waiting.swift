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

  /// How many messages wait, except notes of sleeps, which are posted only for a trace. O(number of waiting messages).
  @inlinable
  package var waitingCount: Int {
    queue.withLock { queue in
      // A loop, because `count(where:)` is not specialised where this is inlined.
      var count = 0
      for message in queue.messages {
        if case .slept = message { continue }
        count += 1
      }
      return count
    }
  }
}
