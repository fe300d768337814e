// This source file is part of swift-effects. License: Apache-2.0.

/// Goes through all schedules, one by one. With a bound, only through schedules with at most that many preemptions:
/// steps in which another agent acts although the last one could go on.
///
/// It may go through a part only: all schedules that begin with given choices.
struct DepthFirst: Strategy {
  private let bound: Int?
  private var path: [Point] = []
  /// How many choices at the beginning are given.
  private var given = 0
  private var depth = 0
  private var preemptions = 0
  private var hasBegun = false
  private(set) var finding = StrategyFinding.none

  /// The number of the chosen option, and how many options there were.
  private struct Point {
    var choice: Int32
    var count: Int32
  }

  init(preemptions bound: Int? = nil) {
    self.bound = bound
  }

  /// The parts of this part, in their order, one for each option of the choice after the given ones. Empty if the schedule
  /// that was played last had no such choice, so that this part is one schedule.
  ///
  /// Call this after one schedule was played.
  var parts: [DepthFirst] {
    guard depth > given else { return [] }
    return (0..<path[given].count).map { choice in
      var part = DepthFirst(preemptions: bound)
      part.path = Array(path[..<given]) + [Point(choice: choice, count: path[given].count)]
      part.given = given + 1
      return part
    }
  }

  var isExhaustive: Bool { true }

  mutating func begin() -> Bool {
    defer {
      depth = 0
      preemptions = 0
      hasBegun = true
    }
    guard hasBegun else { return true }
    if depth < path.count {
      // The last schedule ended before the choice that distinguishes it from the one before.
      if case .diverged = finding {} else { finding = .diverged(at: depth) }
      path.removeLast(path.count - depth)
    }
    while path.count > given, let last = path.last {
      if last.choice + 1 < last.count {
        path[path.count - 1].choice += 1
        return true
      }
      path.removeLast()
    }
    return false
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    if options.count == 1 { return 0 }
    guard let bound else { return next(of: options.count) }
    let own = options.indices.filter { options[$0].agent == last }
    guard !own.isEmpty else { return next(of: options.count) }
    if preemptions == bound {
      if own.count < options.count { finding = finding == .none ? .isBounded : finding }
      return own[next(of: own.count)]
    }
    let choice = next(of: options.count)
    if options[choice].agent != last { preemptions += 1 }
    return choice
  }

  private mutating func next(of count: Int) -> Int {
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
