// This source file is part of swift-effects. License: Apache-2.0.

/// Goes through all schedules, one by one: the oracle of the other searches.
struct DepthFirst: Strategy {
  private var path: [Point] = []
  /// How many choices this schedule has made.
  private(set) var depth = 0
  private var hasBegun = false
  private(set) var finding = StrategyFinding.none

  /// The number of the chosen option, and how many options there were.
  private struct Point {
    var choice: Int32
    var count: Int32
  }

  /// Whether this schedule differs from all before: the choices that are known have been made.
  var isBehindKnown: Bool { depth >= path.count }

  /// The number of the choice that distinguishes this schedule from the one before.
  var lastChoice: Int { path.count - 1 }

  mutating func begin() -> Bool {
    defer {
      depth = 0
      hasBegun = true
    }
    guard hasBegun else { return true }
    if depth < path.count {
      // The last schedule ended before the choice that distinguishes it from the one before.
      if case .diverged = finding {} else { finding = .diverged(at: depth) }
      path.removeLast(path.count - depth)
    }
    while let last = path.last {
      if last.choice + 1 < last.count {
        path[path.count - 1].choice += 1
        return true
      }
      path.removeLast()
    }
    return false
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    let count = options.count
    if count == 1 { return 0 }
    defer { depth += 1 }
    guard depth < path.count else {
      path.append(Point(choice: 0, count: Int32(count)))
      return 0
    }
    if path[depth].count != count {
      if case .diverged = finding {} else { finding = .diverged(at: depth) }
      path[depth].count = Int32(count)
      // If there are fewer options than before, takes the last of them, also in later schedules.
      path[depth].choice = min(path[depth].choice, Int32(count) - 1)
    }
    return Int(path[depth].choice)
  }
}
