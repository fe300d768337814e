// This source file is part of swift-effects. License: Apache-2.0.

/// Goes through one schedule of each class of schedules that differ only in the order of independent steps.
///
/// As ``DepthFirst``, but a step that was explored at a point *sleeps* in the schedules that take another step there.
/// It is not taken again until a step that conflicts with it has been taken. Where all that is possible sleeps, each
/// way to go on is equivalent to an earlier schedule.
///
/// Sleep sets alone leave out no class, and finish one schedule of each.
///
/// - Origin: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996, chapter 5.
struct SleepSets: ExhaustiveStrategy {
  private var path: [Point] = []
  private var depth = 0
  private var hasBegun = false
  /// What sleeps now.
  private var asleep: [Sleeper] = []
  /// The point at which the step was chosen that is being taken; `nil` if it was the only possible one.
  private var open: Int?
  private(set) var finding = StrategyFinding.none

  /// A place where there was more than one option.
  private struct Point {
    var choice: Int
    /// The names of the options; `nil` for a number that is chosen within a step.
    var names: [StepName]?
    var count: Int
    /// What sleeps here: from before, and what has been explored here.
    var asleep: [Sleeper]
    /// What the current choice has touched, in all schedules with it; `nil` until it is over for the first time.
    var footprint: Footprint?

    /// Selects the next option; `false` if there is none left.
    mutating func goOn() -> Bool {
      guard let names else {
        choice += 1
        return choice < count
      }
      let inherited = Set(asleep.map(\.name))
      // A step that was never over is independent of nothing.
      asleep.append(Sleeper(name: names[choice], footprint: footprint ?? .everything))
      footprint = nil
      guard let next = names[(choice + 1)...].firstIndex(where: { !inherited.contains($0) }) else { return false }
      choice = next
      return true
    }
  }

  private struct Sleeper {
    var name: StepName
    var footprint: Footprint
  }

  var isReduced: Bool { true }
  var recordsSteps: Bool { true }
  /// Steps before the last point are known, except one in which a number is chosen that was not chosen before.
  var recordsChoice: Bool { depth >= path.count || path[depth].names == nil }

  mutating func begin() -> Bool {
    defer {
      depth = 0
      open = nil
      asleep.removeAll(keepingCapacity: true)
      hasBegun = true
    }
    guard hasBegun else { return true }
    // Choices after the end of the last schedule belong to an earlier one that was longer.
    if depth < path.count { path.removeLast(path.count - depth) }
    while !path.isEmpty {
      if path[path.count - 1].goOn() { return true }
      path.removeLast()
    }
    return false
  }

  func isRedundant(_ options: [ScheduleOption]) -> Bool {
    // Before the last point the schedule is one that had a continuation.
    depth >= path.count && options.allSatisfy { isAsleep($0) }
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    let isNumber = options[0].step.kind == .choice
    if options.count == 1 {
      if !isNumber { open = nil }
      return 0
    }
    if depth == path.count {
      let first = isNumber ? 0 : options.firstIndex { !isAsleep($0) } ?? 0
      path.append(
        Point(
          choice: first, names: isNumber ? nil : options.map(StepName.init), count: options.count,
          asleep: isNumber ? [] : asleep))
    } else if path[depth].count != options.count {
      if case .diverged = finding {} else { finding = .diverged(at: depth) }
      path[depth].count = options.count
      path[depth].names = isNumber ? nil : options.map(StepName.init)
      path[depth].choice = min(path[depth].choice, options.count - 1)
    }
    if !isNumber {
      open = depth
      asleep = path[depth].asleep
    }
    depth += 1
    return path[depth - 1].choice
  }

  var optionCounts: [ScheduleStep.Kind: Int] {
    var counts: [ScheduleStep.Kind: Int] = [:]
    for point in path where point.count > 1 {
      guard let names = point.names else {
        counts[.choice, default: 0] += point.count
        continue
      }
      for name in names { counts[name.kind, default: 0] += 1 }
    }
    return counts
  }

  mutating func note(_ record: StepRecord) {
    if let open { path[open].footprint = record.footprint.union(path[open].footprint ?? []) }
    asleep.removeAll { !$0.footprint.isIndependent(of: record.footprint) }
  }

  private func isAsleep(_ option: ScheduleOption) -> Bool {
    let name = StepName(option)
    return asleep.contains { $0.name == name }
  }
}

/// What a step is called as long as it is possible, whatever other steps are taken meanwhile.
///
/// A job keeps its number. The next line of the script and the oldest message stay the same until they are taken. Ends
/// and deadlines are independent of nothing, and so need no name that lasts.
struct StepName: Hashable {
  let kind: ScheduleStep.Kind
  private let number: Int32

  init(_ option: ScheduleOption) {
    kind = option.step.kind
    number = option.step.isJob ? option.job : option.step.index
  }
}
