// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// The text that is being sent to one browser: never more than one. A writer of the next one waits until it is taken.
///
/// So a browser that is slow, or does not read at all, holds up the writers, and nothing grows here. Events that are
/// not written yet stay in the trace: the trace of a store keeps 10,000 events for each iterator.
final class Outbox: Sendable {
  fileprivate typealias Waiter = CheckedContinuation<Void, Never>

  fileprivate struct Content {
    var text: String?
    var isClosed = false
    var taker: Waiter?
    var putters: [Waiter] = []
  }

  private let content: Mutex<Content>

  /// - Parameter first: a text that is taken before all texts that are put.
  init(first: String? = nil) {
    content = Mutex(Content(text: first))
  }

  /// Returns when the text is stored; `false` if the outbox is closed.
  func put(_ text: String) async -> Bool {
    while true {
      let (isDone, taker): (Bool?, Waiter?) = content.withLock { content in
        if content.isClosed { return (false, nil) }
        guard content.text == nil else { return (nil, nil) }
        content.text = text
        return (true, content.taker.take())
      }
      taker?.resume()
      if let isDone { return isDone }
      await wait { content, waiter in
        guard content.text != nil, !content.isClosed else { return false }
        content.putters.append(waiter)
        return true
      }
    }
  }

  /// The next text; `nil` if the outbox is closed. For one reader, whose cancellation closes the outbox.
  func take() async -> String? {
    while true {
      let (text, isClosed, putters) = content.withLock { content in
        (content.text.take(), content.isClosed, content.takePutters())
      }
      for putter in putters { putter.resume() }
      if isClosed { return nil }
      if let text { return text }
      await withTaskCancellationHandler {
        await wait { content, waiter in
          guard content.text == nil, !content.isClosed else { return false }
          content.taker = waiter
          return true
        }
      } onCancel: {
        close()
      }
    }
  }

  func close() {
    let waiters = content.withLock { content in
      content.isClosed = true
      content.text = nil
      return content.takePutters() + [content.taker.take()].compactMap(\.self)
    }
    // Without the lock: this also runs in the cancellation handler of a task, which must not wait for another one.
    for waiter in waiters { waiter.resume() }
  }

  /// Waits, if the closure has stored the waiter.
  private func wait(_ keep: (inout Content, Waiter) -> Bool) async {
    await withCheckedContinuation { waiter in
      if !content.withLock({ keep(&$0, waiter) }) { waiter.resume() }
    }
  }
}

extension Outbox.Content {
  fileprivate mutating func takePutters() -> [Outbox.Waiter] {
    defer { putters = [] }
    return putters
  }
}
