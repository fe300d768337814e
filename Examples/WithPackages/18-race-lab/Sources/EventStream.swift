// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore

/// The body of an answer that goes on as long as the browser reads it. The server releases it when the browser has
/// disconnected, and this ends the session.
struct EventStream: AsyncSequence, Sendable {
  private let outbox: Outbox
  private let ending: Ending

  init(_ outbox: Outbox, end: @escaping @Sendable () -> Void) {
    self.outbox = outbox
    ending = Ending(end)
  }

  func makeAsyncIterator() -> Iterator { Iterator(outbox: outbox, ending: ending) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let outbox: Outbox
    fileprivate let ending: Ending

    /// One text at a time, however long it is: a text that is available is never held back.
    mutating func next() async -> ByteBuffer? {
      await outbox.take().map { ByteBuffer(string: $0) }
    }
  }
}

/// Calls a closure when its last reference is released.
private final class Ending: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }
}
