// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

@testable import cache

/// What both caches have in common, for properties.
protocol ShowsFeed {
  var shownFeed: [Photo] { get }
}

extension Cache.State: ShowsFeed {
  var shownFeed: [Photo] { photos(.feed) }
}

extension NaiveCache.State: ShowsFeed {
  var shownFeed: [Photo] { feed }
}

/// A cache, and what the user has liked, so that a property can compare this with what is shown.
struct Watched<Cached: Reducer & Sendable>: Reducer, Sendable where Cached.State: ShowsFeed {
  struct State {
    var cache: Cached.State
    /// Photos that were liked and not refused.
    var liked: Set<Int> = []

    /// A like that was tapped is shown until the server refuses it, also after the server has confirmed it.
    var showsAllLikes: Bool { liked.allSatisfy { id in cache.shownFeed.contains { $0.id == id && $0.isLiked } } }
  }

  let cache: Cached
  let liked: @Sendable (Cached.Action) -> Int?
  let refused: @Sendable (Cached.Action) -> Int?

  func reduce(into state: inout State, action: Cached.Action) -> Effect<Cached.Action> {
    if let id = liked(action) { state.liked.insert(id) }
    if let id = refused(action) { state.liked.remove(id) }
    return cache.reduce(into: &state.cache, action: action)
  }
}

extension Watched where Cached == Cache {
  /// The first change likes photo 1, the second one likes photo 2.
  init(_ cache: Cache) {
    self.init(
      cache: cache, liked: { if case .changed(.like(let id, true)) = $0 { id } else { nil } },
      refused: { if case .refused(let id) = $0 { id } else { nil } })
  }
}

extension Watched where Cached == NaiveCache {
  init(_ cache: NaiveCache) {
    self.init(
      cache: cache, liked: { if case .changed(.like(let id, true)) = $0 { id } else { nil } },
      refused: { if case .settled(let id, isRefused: true) = $0 { id } else { nil } })
  }
}
