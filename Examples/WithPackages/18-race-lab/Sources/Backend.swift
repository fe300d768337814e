// This source file is part of swift-effects. License: Apache-2.0.

/// The server that is searched, with a chosen latency. Both searches query the same one, with equal times for both.
struct Backend: Sendable {
  var latency: Latency
  /// Whether it ignores cancellation, as most servers do.
  var isDeaf: Bool
  /// The seed of its random latencies.
  var seed: UInt64

  func birds(for query: String) async throws -> [String] {
    let time = Duration.milliseconds(latency.milliseconds(for: query, seed: seed))
    if isDeaf {
      // A separate task is not cancelled together with the task that waits for it.
      try await Task { try await Task.sleep(for: time) }.value
    } else {
      try await Task.sleep(for: time)
    }
    return Self.birds(named: query)
  }

  static func birds(named query: String) -> [String] {
    birds.filter { $0.lowercased().contains(query.lowercased()) }
  }

  private static let birds = """
    Alpine swift, Arctic tern, Bank swallow, Barn owl, Barn swallow, Barred owl, Black swift, Blackbird, Blue tit, Bluethroat, \
    Bullfinch, Chaffinch, Chimney swift, Common swift, Crested tit, Crossbill, Eagle owl, Eurasian wren, Fieldfare, Firecrest, \
    Goldfinch, Great tit, Greenfinch, Grey wagtail, Hobby, Hoopoe, House martin, House sparrow, Jackdaw, Kestrel, Kingfisher, \
    Lapwing, Little swift, Long-eared owl, Mute swan, Nightingale, Nuthatch, Osprey, Pallid swift, Peregrine, Pied wagtail, \
    Raven, Red kite, Redstart, Robin, Rock dove, Sand martin, Siskin, Skylark, Song thrush, Starling, Stonechat, Stork, \
    Swallow, Swamp sparrow, Swinhoe's snipe, Tawny owl, Tree sparrow, Treecreeper, Tundra swan, Turtle dove, Waxwing, \
    Whinchat, Whitethroat, Whooper swan, Willow tit, Woodlark, Yellowhammer
    """.split(separator: ", ").map(String.init)
}
