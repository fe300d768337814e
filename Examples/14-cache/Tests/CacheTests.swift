// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import cache

/// What the cache does, step by step.
@Suite struct CacheTests {
  struct Offline: Error {}

  @Test func `An answer is fetched once, fetched again after an error, and forgotten when its screen is left`() async {
    let memory = MemoryServer()
    let page = Page(photos: [Photo(id: 1)], next: nil)
    let store = TestStore(initialState: Cache.State(), reducer: Cache(server: memory.server))
    store.reducer.server.fetch = { _, _ in throw Offline() }
    store.send(.appeared(.photo(1))) { $0.entries[.photo(1)] = Cache.Entry() }
    await store.receive(.loadFailed(.photo(1), "Offline()")) { $0.entries[.photo(1)]?.problem = "Offline()" }
    store.reducer.server = memory.server
    store.send(.appeared(.photo(1))) { $0.entries[.photo(1)]?.problem = nil }
    await store.receive(.loaded(.photo(1), [page])) {
      $0.entries[.photo(1)] = Cache.Entry(pages: [page], isStale: false)
    }
    store.send(.appeared(.photo(1)))
    store.send(.left(.photo(1))) { $0.entries = [:] }
    await store.finish()
  }

  @Test func `A change is shown at once, and makes stale what has its tag, and nothing else`() async {
    let memory = MemoryServer()
    var initial = Cache.State.feed(memory)
    initial.entries[.photo(1)] = Cache.Entry(pages: [memory.fetch(.photo(1), 0)], isStale: false)
    initial.entries[.photo(2)] = Cache.Entry(pages: [memory.fetch(.photo(2), 0)], isStale: false)
    let store = TestStore(initialState: initial, reducer: Cache(server: memory.server))
    let one = Photo(id: 1, isLiked: true)
    store.send(.changed(.like(1, true))) {
      $0.lastChange = 1
      $0.changes = [Cache.PendingChange(id: 1, change: .like(1, true))]
    }
    #expect(store.state.photos(.feed) == [one, Photo(id: 2)])
    #expect(store.state.photos(.photo(1)) == [one])
    await store.receive(.confirmed(1)) {
      $0.changes[0].awaited = [.feed, .photo(1)]
      $0.entries[.feed]?.isStale = true
      $0.entries[.photo(1)]?.isStale = true
    }
    await store.receive(unordered: [
      .loaded(.feed, [memory.fetch(.feed, 0)]), .loaded(.photo(1), [memory.fetch(.photo(1), 0)]),
    ]) {
      $0.entries[.feed] = Cache.Entry(pages: [memory.fetch(.feed, 0)], isStale: false)
      $0.entries[.photo(1)] = Cache.Entry(pages: [memory.fetch(.photo(1), 0)], isStale: false)
      $0.changes = []
    }
    #expect(store.state.photos(.photo(1)) == [one])
    await store.finish()
  }

  @Test func `A refused change is taken back, and nothing has to be restored`() async {
    let memory = MemoryServer()
    let store = TestStore(initialState: Cache.State.feed(memory), reducer: Cache(server: memory.server))
    store.reducer.server.send = { _ in throw Offline() }
    store.send(.changed(.delete(1))) {
      $0.lastChange = 1
      $0.changes = [Cache.PendingChange(id: 1, change: .delete(1))]
    }
    #expect(store.state.photos(.feed) == [Photo(id: 2)])
    await store.receive(.refused(1)) {
      $0.changes = []
      $0.entries[.feed]?.isStale = true
    }
    #expect(store.state.photos(.feed) == [Photo(id: 1), Photo(id: 2)])
    await store.receive(.loaded(.feed, [memory.fetch(.feed, 0)])) { $0.entries[.feed]?.isStale = false }
    await store.finish()
  }

  @Test func `A second page is appended, and a refetch fetches both pages`() async {
    let memory = MemoryServer(4)
    let store = TestStore(initialState: Cache.State.feed(memory), reducer: Cache(server: memory.server))
    let pages = [memory.fetch(.feed, 0), memory.fetch(.feed, 2)]
    store.send(.moreTapped(.feed))
    await store.receive(.appended(.feed, pages[1])) { $0.entries[.feed]?.pages = pages }
    store.send(.moreTapped(.feed))  // there is no third page
    store.reducer.server.fetch = { [clock = store.clock] query, from in
      try await clock.sleep(for: .seconds(1))
      return memory.fetch(query, from)
    }
    store.send(.focused) { $0.entries[.feed]?.isStale = true }
    store.send(.moreTapped(.feed))  // refused: a newer answer is under way
    store.advance(by: .seconds(2))
    await store.receive(.loaded(.feed, pages)) { $0.entries[.feed]?.isStale = false }
    await store.finish()
  }
}
