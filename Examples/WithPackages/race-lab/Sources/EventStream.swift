// This source file is part of swift-effects. License: Apache-2.0.

import FlyingFox
import FlyingSocks

/// The body of an answer that goes on as long as the browser reads it. The server releases it when the browser has
/// disconnected, and this ends the session.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  private let outbox: Outbox
  private let ending: Ending

  init(_ outbox: Outbox, end: @escaping @Sendable () -> Void) {
    self.outbox = outbox
    ending = Ending(end)
  }

  func makeAsyncIterator() -> Iterator { Iterator(outbox: outbox, ending: ending) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let outbox: Outbox
    fileprivate let ending: Ending
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(outbox: Outbox, ending: Ending) {
      self.outbox = outbox
      self.ending = ending
    }

    mutating func next() async -> UInt8? {
      if rest.isEmpty { rest = await take()[...] }
      return rest.popFirst()
    }

    /// One text at a time, however long it is: a text that is available is never held back.
    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      let bytes = rest.isEmpty ? await take() : Array(rest)
      rest = []
      return bytes.isEmpty ? nil : bytes
    }

    private func take() async -> [UInt8] {
      await outbox.take().map { Array($0.utf8) } ?? []
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
