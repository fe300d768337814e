// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension StoreChange<Chat.State> {
  // The status of the connection is read from the active runs.
  var isOnline: Bool { effects[Chat.Work.line].isRunning }
  var isConnecting: Bool { effects[Chat.Work.dial].isRunning }
  var isTryingAgain: Bool { effects[Chat.Work.dial].queued > 0 }

  /// Whether at least this number of messages has arrived, and none waits to be sent.
  func isUpToDate(_ count: Int) -> Bool {
    isOnline && state.messages.count >= count && state.outbox.isEmpty
  }
}

extension Store<Chat> {
  /// Waits until the condition holds.
  nonisolated func first(where condition: @Sendable (StoreChange<Chat.State>) -> Bool) async -> StoreChange<Chat.State>?
  {
    for await change in changes where condition(change) { return change }
    return nil
  }
}

/// What the screen shows: the status of the connection, the messages, and the drafts that wait to be sent.
func screen(_ chat: StoreChange<Chat.State>) -> String {
  let news =
    if chat.isOnline {
      "online"
    } else if chat.isConnecting {
      "connecting ..."
    } else {
      chat.isTryingAgain ? "offline, tries again" : "offline"
    }
  let lines = chat.state.messages.map { "\($0.number) \($0.draft.author): \($0.draft.text)" }
  let waiting = chat.state.outbox.map { "- \($0.author): \($0.text)" }
  return "\(chat.state.author) [\(news)]" + (lines + waiting).map { "\n    " + $0 }.joined()
}
