// This source file is part of swift-effects. License: Apache-2.0.

import FlyingFox
import FlyingSocks
import Foundation
import InspectorCore
import Synchronization

/// What one page gets while it is open: a message whenever something has changed, at most every 100 milliseconds.
///
/// A message has all stores, and the newest actions of the chosen one. If more were reduced than a page can show, some are
/// skipped, and the message says how many. The history has them.
struct LiveStream: AsyncBufferedSequence {
  typealias Element = UInt8

  struct Message: Encodable {
    var stores: [StoreSummary]
    var rows: [Row] = []
    /// How many actions were reduced since the last message and are neither searched nor shown.
    var skipped = 0
    /// All positions between this one and the newest have been searched.
    var searched = 0
    /// The newest position; the next message begins behind it.
    var position = 0
  }

  private let session: InspectorSession
  private let store: Int?
  private let filter: RowFilter
  private let stream: OpenStream

  init(_ session: InspectorSession, store: Int?, filter: RowFilter, _ stream: OpenStream) {
    self.session = session
    self.store = store
    self.filter = filter
    self.stream = stream
  }

  func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let stream: LiveStream
    private var rest: ArraySlice<UInt8> = []
    private var former: [StoreSummary]?
    private var position: Int?

    init(stream: LiveStream) {
      self.stream = stream
    }

    mutating func next() async -> UInt8? {
      if rest.isEmpty { rest = await take()[...] }
      return rest.popFirst()
    }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      let bytes = rest.isEmpty ? await take() : Array(rest)
      rest = []
      return bytes.isEmpty ? nil : bytes
    }

    /// The next message; empty when the server stops. Without news a comment, because only a write shows that the browser
    /// has disconnected.
    private mutating func take() async -> [UInt8] {
      for beat in 0..<10 {
        if beat > 0 || former != nil {
          do { try await Task.sleep(for: .milliseconds(100)) } catch { return [] }
        }
        if let message = news(), let data = try? JSONEncoder().encode(message) {
          return Array("data: ".utf8) + data + Array("\n\n".utf8)
        }
      }
      return Array(": nothing new\n\n".utf8)
    }

    private mutating func news() -> Message? {
      let stores = stream.session.stores.map { $0.summary() }
      guard stores != former else { return nil }
      former = stores
      var message = Message(stores: stores)
      guard let store = stream.session.stores.first(where: { $0.id == stream.store }),
        let newest = stores.first(where: { $0.id == stream.store })?.count
      else { return message }
      // The first message has what is newest; the page reads older rows when it needs them.
      let first = (position ?? Swift.max(0, newest - 100)) + 1
      let page = store.rows(in: first..<newest + 1, limit: 50, scan: 2_000, filter: stream.filter)
      message.rows = page.rows
      message.skipped = position == nil ? 0 : Swift.max(0, page.searched - (first - 1))
      message.searched = page.searched
      message.position = newest
      position = newest
      return message
    }
  }
}

/// How many streams are open. A stream is closed when it is released.
final class StreamCount: Sendable {
  static let most = 12
  private let count = Mutex(0)

  func open() -> OpenStream? {
    let isAllowed = count.withLock { count in
      guard count < Self.most else { return false }
      count += 1
      return true
    }
    return isAllowed ? OpenStream { self.close() } : nil
  }

  private func close() { count.withLock { $0 -= 1 } }
}

final class OpenStream: Sendable {
  private let close: @Sendable () -> Void

  fileprivate init(_ close: @escaping @Sendable () -> Void) {
    self.close = close
  }

  deinit { close() }
}
