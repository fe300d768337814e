// This source file is part of swift-effects. License: Apache-2.0.

/// Goes through all schedules, one by one: the oracle of the other searches.
struct DepthFirst: ExhaustiveStrategy {
  private var path: [Point] = []
  private var depth = 0
  private var hasBegun = false
  private(set) var finding = StrategyFinding.none

  /// The number of the chosen option, how many options there were, and what they were.
  private struct Point {
    var choice: Int32
    var count: Int32
    var kinds: [ScheduleStep.Kind]
  }

  /// Whether this schedule differs from all before: the choices that are known have been made.
  var isBehindKnown: Bool { depth >= path.count }

  var optionCounts: [ScheduleStep.Kind: Int] {
    var counts: [ScheduleStep.Kind: Int] = [:]
    for kind in path.lazy.flatMap(\.kinds) { counts[kind, default: 0] += 1 }
    return counts
  }

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

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    let count = options.count
    if count == 1 { return 0 }
    defer { depth += 1 }
    guard depth < path.count else {
      path.append(Point(choice: 0, count: Int32(count), kinds: options.map(\.step.kind)))
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
