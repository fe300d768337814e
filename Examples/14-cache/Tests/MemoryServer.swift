// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization

@testable import cache

/// Photos in memory.
final class MemoryServer: Sendable {
  private let photos: Mutex<[Photo]>
  private let pageSize: Int
  struct Refused: Error {}

  init(_ count: Int = 2, pageSize: Int = 2) {
    photos = Mutex((1...count).map { Photo(id: $0) })
    self.pageSize = pageSize
  }

  var all: [Photo] { photos.withLock(\.self) }

  func fetch(_ query: Query, _ first: Int) -> Page {
    switch query {
    case .feed:
      let rest = all.dropFirst(first)
      return Page(photos: Array(rest.prefix(pageSize)), next: rest.count > pageSize ? first + pageSize : nil)
    case .photo(let id):
      return Page(photos: all.filter { $0.id == id }, next: nil)
    }
  }

  func change(_ change: Change) { photos.withLock { change.apply(to: &$0) } }

  /// Answers at once.
  var server: Server { Server(fetch: { self.fetch($0, $1) }, send: { self.change($0) }) }

  /// What was read takes a while to arrive. Meanwhile it may become older than what the server has.
  func server(_ clock: TestClock) -> Server {
    Server(
      fetch: {
        let page = self.fetch($0, $1)
        try await clock.sleep(for: .milliseconds(10))
        return page
      }, send: { self.change($0) })
  }
}

extension Cache.State {
  /// The feed has been loaded.
  static func feed(_ server: MemoryServer) -> Cache.State {
    Cache.State(entries: [.feed: Cache.Entry(pages: [server.fetch(.feed, 0)], isStale: false)])
  }
}
