// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: two photos are liked. The server needs 100 ms for the first like, and 300 ms for the second.
@main
enum Main {
  static func main() async {
    print("Each line is what the screen shows; * is a like.")
    let naive = Store(
      initialState: NaiveCache.State(feed: Memory.photos),
      reducer: NaiveCache(server: Memory().server, cancelsFetch: true))
    var screen = Task { await lines(naive.values(\.feed)) }
    var sent = [naive.send(.changed(.like(1, true))), naive.send(.changed(.like(2, true)))]
    for task in sent { await task.finish() }
    await naive.shutdown(.draining)
    print("naive:", await screen.value.joined(separator: ", "))

    let cache = Store(
      initialState: Cache.State(
        entries: [.feed: Cache.Entry(pages: [Page(photos: Memory.photos, next: nil)], isStale: false)]),
      reducer: Cache(server: Memory().server))
    screen = Task { await lines(cache.values(\.feed)) }
    sent = [cache.send(.changed(.like(1, true))), cache.send(.changed(.like(2, true)))]
    for task in sent { await task.finish() }
    await cache.shutdown(.draining)
    print("right:", await screen.value.joined(separator: ", "))
  }

  private static func lines(_ values: some AsyncSequence<[Photo], Never>) async -> [String] {
    var lines: [String] = []
    for await photos in values {
      lines.append(photos.map { "\($0.id)\($0.isLiked ? "*" : "")" }.joined(separator: " "))
    }
    return lines
  }
}

extension Cache.State {
  fileprivate var feed: [Photo] { photos(.feed) }
}

/// A server in memory. A fetch reads at once, and its answer takes 50 ms.
private actor Memory {
  static let photos = [Photo(id: 1), Photo(id: 2)]
  private var photos = Memory.photos

  private func change(_ change: Change) { change.apply(to: &photos) }

  nonisolated var server: Server {
    Server(
      fetch: { _, _ in
        let photos = await self.photos
        try await Task.sleep(for: .milliseconds(50))
        return Page(photos: photos, next: nil)
      },
      send: { change in
        try await Task.sleep(for: .milliseconds(change.photo == 1 ? 100 : 300))
        await self.change(change)
      })
  }
}
