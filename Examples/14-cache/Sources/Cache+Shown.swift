// This source file is part of swift-effects. License: Apache-2.0.

extension Cache.State {
  /// What the screen shows: what the server has said, and on top of it each change that this answer does not contain yet.
  func photos(_ query: Query) -> [Photo] {
    var photos = entries[query]?.pages.flatMap(\.photos) ?? []
    for pending in changes where pending.awaited?.contains(query) ?? true { pending.change.apply(to: &photos) }
    return photos
  }

  /// The entries that a change makes stale. It is not known what an answer under way will be about, so it counts as well.
  func queries(with tags: Set<Tag>) -> Set<Query> {
    Set(entries.filter { $0.value.isStale || !tags.isDisjoint(with: $0.value.tags(of: $0.key)) }.keys)
  }

  /// The changes that waited for this answer are in it.
  mutating func arrived(_ query: Query) {
    for index in changes.indices { changes[index].awaited?.remove(query) }
    changes.removeAll { $0.awaited?.isEmpty ?? false }
  }
}

extension Cache.Entry {
  func tags(of query: Query) -> Set<Tag> {
    let photos = Set(pages.flatMap(\.photos).map { Tag.photo($0.id) })
    return switch query {
    case .feed: photos.union([.list])
    case .photo(let id): photos.union([.photo(id)])
    }
  }
}
