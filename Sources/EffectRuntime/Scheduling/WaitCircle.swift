// This source file is part of swift-effects. License: Apache-2.0.

/// A search for work that can never end because it must end before itself (rule L2).
enum WaitCircle {
  /// The work that must end before `start` can end: from what `start` waits for, on to what waits for `start`. `start`
  /// itself is not listed. `nil` if `start` can end.
  ///
  /// Work that waits for nothing can end. So can work that needs only work that can end. The rest never ends.
  ///
  /// - Parameters:
  ///   - start: the work that is checked.
  ///   - root: what it is about to wait for as well. Then the circle begins with that.
  ///   - needsOf: what must end before a part can end.
  ///   - needsOne: whether it is enough that one of these ends: true for work that is queued for a slot.
  /// - Complexity: O(work that must end first).
  static func search(
    through start: Int32, alsoAfter root: Int32? = nil, needs needsOf: (Int32) -> [Int32], needsOne: (Int32) -> Bool
  ) -> [Int32]? {
    var needs: [Int32: [Int32]] = [:]
    var users: [Int32: [Int32]] = [:]
    /// How many of the needs of a part are not yet known to be able to end.
    var missing: [Int32: Int] = [:]
    var able: [Int32] = []
    var pending = [start]
    while let index = pending.popLast() {
      guard needs[index] == nil else { continue }
      var all = needsOf(index)
      if index == start, let root { all.append(root) }
      needs[index] = all
      missing[index] = needsOne(index) ? 1 : all.count
      if all.isEmpty { able.append(index) }
      for need in all { users[need, default: []].append(index) }
      pending += all
    }
    while let index = able.popLast() {
      for user in users[index] ?? [] {
        missing[user, default: 0] -= 1
        if missing[user] == 0 { able.append(user) }
      }
    }
    func isStuck(_ index: Int32) -> Bool { needs[index]?.isEmpty == false && missing[index, default: 0] > 0 }
    guard isStuck(start) else { return nil }
    // A path through the stuck work. There may be other circles, which this work is not in.
    var origin: [Int32: Int32] = [:]
    let first = root.map { [$0] } ?? needs[start] ?? []
    for index in first where isStuck(index) { origin[index] = -1 }
    pending = Array(origin.keys.sorted().reversed())
    while let index = pending.popLast() {
      for need in (needs[index] ?? []).reversed() where isStuck(need) {
        if need == start {
          var path = [index]
          while let former = origin[path[path.count - 1]], former >= 0 { path.append(former) }
          return path.reversed()
        }
        guard origin[need] == nil else { continue }
        origin[need] = index
        pending.append(need)
      }
    }
    return nil
  }
}
