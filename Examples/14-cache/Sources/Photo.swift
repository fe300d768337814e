// This source file is part of swift-effects. License: Apache-2.0.

/// What the server has.
struct Photo: Equatable, Sendable {
  let id: Int
  var isLiked = false
}

/// A part of a list, and where the next part begins.
struct Page: Equatable, Sendable {
  var photos: [Photo]
  var next: Int?
}

/// The key of an answer in the cache.
enum Query: Hashable, Sendable {
  case feed
  case photo(Int)
}

/// What an answer is about. A change makes all answers stale that have one of its tags.
enum Tag: Hashable, Sendable {
  case list
  case photo(Int)
}

/// A change that the user makes. It says what to set and not what to toggle, so that it may be applied twice.
enum Change: Hashable, Sendable {
  case like(Int, Bool)
  case delete(Int)

  var photo: Int {
    switch self {
    case .like(let id, _), .delete(let id): id
    }
  }

  var tags: Set<Tag> {
    switch self {
    case .like(let id, _): [.photo(id)]
    case .delete(let id): [.photo(id), .list]
    }
  }

  func apply(to photos: inout [Photo]) {
    switch self {
    case .like(let id, let isLiked):
      for index in photos.indices where photos[index].id == id { photos[index].isLiked = isLiked }
    case .delete(let id):
      photos.removeAll { $0.id == id }
    }
  }
}

/// The server, as the features see it. Every answer may come late.
struct Server: Sendable {
  var fetch: @Sendable (_ query: Query, _ from: Int) async throws -> Page
  var send: @Sendable (Change) async throws -> Void
}
