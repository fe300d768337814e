// This source file is part of swift-effects. License: Apache-2.0.

/// Goes through all schedules, one by one; with a bound only through those with at most so many preemptions: turns in
/// which another acts although the one that acted last could go on.
struct DepthFirst: Strategy {
  private let bound: Int?
  private var path: [Point] = []
  private var depth = 0
  private var preemptions = 0
  private var hasBegun = false
  private(set) var finding = StrategyFinding.none

  /// What was chosen of how many.
  private struct Point {
    var choice: Int32
    var count: Int32
  }

  init(preemptions bound: Int? = nil) {
    self.bound = bound
  }

  mutating func begin() -> Bool {
    defer {
      depth = 0
      preemptions = 0
      hasBegun = true
    }
    guard hasBegun else { return true }
    // What lies beyond the end of the last schedule belongs to one that was cut elsewhere.
    if depth < path.count { path.removeLast(path.count - depth) }
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
      // Where fewer are offered than before, the last of them; also in the schedules after this one.
      path[depth].choice = min(path[depth].choice, Int32(count) - 1)
    }
    return Int(path[depth].choice)
  }
}
