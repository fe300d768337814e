// This source file is part of swift-effects. License: Apache-2.0.

/// Which work has joined which run, and the share of what a run's actions cause; all by slots.
///
/// A joiner settles with the run, or share, that it has joined. It has joined only one.
///
/// - Complexity: O(1) for each call, except `joiners(of:)`, which is O(joiners).
struct SharedRuns: Sendable {
  /// The joiners of a run or share, by its slot, in the order in which they joined.
  private var joiners: [Int32: Chain.List] = [:]
  private var links = Chain()
  /// How many joiners there are: saves a lookup while there are none.
  private var count = 0
  /// The shares of runs whose owners have not changed since the share was made, by the slot of the run.
  private var shares: [Int32: Int32] = [:]

  /// Whether nothing has joined anything.
  var isEmpty: Bool { count == 0 }

  /// Whether a run has joiners or a share.
  func isShared(_ run: Int32) -> Bool { joiners[run] != nil || shares[run] != nil }

  /// Releases the memory of the slots from the given one on, in which there is no work.
  mutating func shrink(to count: Int) {
    if joiners.isEmpty { joiners = [:] }
    if shares.isEmpty { shares = [:] }
    links.shrink(to: count)
  }

  // MARK: - Joiners

  /// Whether anything has joined a run or share.
  func hasJoiners(_ shared: Int32) -> Bool { count > 0 && joiners[shared] != nil }

  /// The joiners of a run or share, in the order in which they joined.
  func joiners(of shared: Int32) -> [Int32] {
    guard count > 0, let list = joiners[shared] else { return [] }
    return links.members(of: list)
  }

  /// The joiner that has joined first; `nil` if there is none.
  func firstJoiner(of shared: Int32) -> Int32? { count == 0 ? nil : joiners[shared]?.first }

  /// Adds a joiner to a run or share, behind the others.
  mutating func join(_ joiner: Int32, to shared: Int32) {
    links.append(joiner, to: &joiners[shared, default: Chain.List()])
    count += 1
  }

  /// Removes a joiner of a run or share.
  mutating func leave(_ joiner: Int32, from shared: Int32) {
    links.remove(joiner, from: &joiners[shared, default: Chain.List()])
    if joiners[shared]?.isEmpty == true { joiners[shared] = nil }
    count -= 1
  }

  // MARK: - Shares

  /// The share of what the actions of a run cause; `nil` if it has none.
  func share(of run: Int32) -> Int32? { shares[run] }

  /// What the actions of a run cause belongs to a share from now on.
  mutating func setShare(_ share: Int32, of run: Int32) { shares[run] = share }

  /// Removes the share of a run, because it has other owners now or has settled.
  ///
  /// - Returns: the share; `nil` if it had none.
  mutating func removeShare(of run: Int32) -> Int32? {
    // Checked first, because an empty dictionary computes the hash all the same.
    shares.isEmpty ? nil : shares.removeValue(forKey: run)
  }
}
