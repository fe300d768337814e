// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// What is on its way to one browser: never more than one text. Who puts the next waits until it has been taken.
///
/// So a browser that is slow, or does not read at all, holds up those who write to it, and nothing grows here. What they
/// have not written stays where they take it from: the trace of a store keeps 10,000 events for each who iterates.
final class Outbox: Sendable {
  fileprivate struct Content {
    var text: String?
    var isClosed = false
    var taker: CheckedContinuation<Void, Never>?
    var putters: [CheckedContinuation<Void, Never>] = []
  }

  private let content = Mutex(Content())

  /// Returns when the text has its place; `false` if it is closed.
  func put(_ text: String) async -> Bool {
    while true {
      let isDone: Bool? = content.withLock { content in
        if content.isClosed { return false }
        guard content.text == nil else { return nil }
        content.text = text
        content.taker.take()?.resume()
        return true
      }
      if let isDone { return isDone }
      await withCheckedContinuation { continuation in
        content.withLock { content in
          if content.text == nil || content.isClosed { continuation.resume() } else { content.putters.append(continuation) }
        }
      }
    }
  }

  /// The next text; `nil` if it is closed. For one taker, whose cancellation closes it.
  func take() async -> String? {
    while true {
      let (text, isClosed) = content.withLock { content in
        defer { content.text = nil }
        if content.text != nil { content.wakePutters() }
        return (content.text, content.isClosed)
      }
      if isClosed { return nil }
      if let text { return text }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          content.withLock { content in
            if content.text != nil || content.isClosed { continuation.resume() } else { content.taker = continuation }
          }
        }
      } onCancel: {
        close()
      }
    }
  }

  func close() {
    content.withLock { content in
      content.isClosed = true
      content.text = nil
      content.taker.take()?.resume()
      content.wakePutters()
    }
  }
}

extension Outbox.Content {
  fileprivate mutating func wakePutters() {
    for putter in putters { putter.resume() }
    putters = []
  }
}
