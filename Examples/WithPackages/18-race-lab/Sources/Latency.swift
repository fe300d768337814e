// This source file is part of swift-effects. License: Apache-2.0.

/// How long a search takes.
struct Latency: Equatable, Sendable {
  enum Kind: String, Sendable {
    /// Each search takes the same.
    case fixed
    /// A random time in the range; the same query takes the same time again.
    case random
    /// More letters take less time, as there is less to find. So the first search is answered last.
    case decreasing
  }

  var kind: Kind
  /// In milliseconds.
  var range: ClosedRange<Int>

  func milliseconds(for query: String, seed: UInt64) -> Int {
    switch kind {
    case .fixed: return range.upperBound
    case .random: return range.lowerBound + Int(hash(query, seed) % UInt64(range.count))
    case .decreasing:
      // From the fifth letter on, all take the shortest time.
      let letters = min(query.count, 5)
      return range.upperBound - (range.upperBound - range.lowerBound) * (letters - 1) / 4
    }
  }

  /// FNV-1a, then mixed: queries differ in their last letter only.
  private func hash(_ query: String, _ seed: UInt64) -> UInt64 {
    let hash = query.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let mixed = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    return mixed ^ (mixed >> 31)
  }
}
