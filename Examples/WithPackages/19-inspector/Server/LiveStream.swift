// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import InspectorCore
import NIOCore

/// What one page gets while it is open: a message whenever something has changed, at most every 100 milliseconds.
///
/// A message has all stores, and the newest actions of the chosen one. If more were reduced than a page can show, some are
/// skipped, and the message says how many. The history has them.
struct LiveStream: AsyncSequence, Sendable {

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
  private let place: Places.Place

  init(_ session: InspectorSession, store: Int?, filter: RowFilter, _ place: Places.Place) {
    self.session = session
    self.store = store
    self.filter = filter
    self.place = place
  }

  func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  struct Iterator: AsyncIteratorProtocol {
    private let stream: LiveStream
    private var former: [StoreSummary]?
    private var position: Int?

    init(stream: LiveStream) {
      self.stream = stream
    }

    /// The next message. Without news a comment, because only a write shows that the browser has disconnected.
    mutating func next() async throws -> ByteBuffer? {
      for beat in 0..<10 {
        if beat > 0 || former != nil { try await Task.sleep(for: .milliseconds(100)) }
        guard let message = news() else { continue }
        return ByteBuffer(bytes: Data("data: ".utf8) + (try JSONEncoder().encode(message)) + Data("\n\n".utf8))
      }
      return ByteBuffer(string: ": nothing new\n\n")
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
      let page = store.rows(in: first..<newest + 1, limit: 50, scan: Limits.searchedBytes / 5, filter: stream.filter)
      message.rows = page.rows
      message.skipped = position == nil ? 0 : Swift.max(0, page.searched - (first - 1))
      message.searched = page.searched
      message.position = newest
      position = newest
      return message
    }
  }
}
