// This source file is part of swift-effects. License: Apache-2.0.

/// How simple a schedule is: fewer steps first, then a shorter script, then fewer switches, then the order of choices.
struct ScheduleWeight: Comparable {
  private let parts: [Int]

  init(_ steps: [ScheduleStep]) {
    let played = steps.filter { $0.kind != .omission }
    let script = steps.count { $0.kind == .script }
    let switches = zip(played, played.dropFirst()).count { $0.kind != $1.kind }
    // Steps after the violation need not be left out. If it does not matter which step is left out, it is the first.
    let omissions = steps.indices.reduce(0) { $0 + (steps[$1].kind == .omission ? $1 + 1 : 0) }
    parts = [played.count, script, switches, omissions] + played.map { Int($0.kind.rawValue) << 32 | Int($0.index) }
  }

  static func < (left: ScheduleWeight, right: ScheduleWeight) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}

extension ScheduleStep {
  /// Changes that may make a schedule simpler: a step removed, a step of the script left out, two neighbours swapped, a
  /// smaller index.
  // Closures, because a schedule of a thousand steps has thousands of them, and few are tried.
  static func simplifications(of steps: [ScheduleStep]) -> [() -> [ScheduleStep]] {
    var found: [() -> [ScheduleStep]] = []
    // Halves and quarters first: most of a random schedule is not needed.
    var length = steps.count / 2
    while length > 1 {
      for start in stride(from: 0, to: steps.count, by: length) {
        let end = min(start + length, steps.count)
        found.append { Array(steps[..<start] + steps[start..<end].compactMap(\.omitted) + steps[end...]) }
        found.append { Array(steps[..<start] + steps[end...]) }
      }
      length /= 2
    }
    for index in steps.indices {
      if let omission = steps[index].omitted, steps[index].kind != .omission {
        found.append { steps.replacing(index) { $0 = omission } }
      }
      found.append { steps.without([index]) }
    }
    // A generated action that is left out need not be chosen either.
    for omission in steps.indices.filter({ steps[$0].kind == .omission }).prefix(8) {
      for choice in steps[..<omission].indices where steps[choice].kind == .choice {
        found.append { steps.without([choice, omission]) }
      }
    }
    for simpler in simplerValues(than: steps) { found.append { simpler } }
    for index in steps.indices.dropLast() where steps[index] != steps[index + 1] {
      found.append {
        var swapped = steps
        swapped.swapAt(index, index + 1)
        return swapped
      }
    }
    for index in steps.indices where steps[index].index > 0 {
      found.append { steps.replacing(index) { $0.index -= 1 } }
    }
    // At last each simpler value, the simplest first: the value before one that violates need not violate anything.
    for index in steps.indices.prefix(while: { steps[$0].kind == .choice }) {
      for simpler in 0..<max(0, steps[index].index) {
        found.append { steps.replacing(index) { $0.index = simpler } }
      }
    }
    return found
  }

  /// What replaces a removed step: for a step of the script an omission, for other steps nothing.
  private var omitted: ScheduleStep? {
    kind == .script || kind == .omission ? ScheduleStep(kind: .omission, index: index) : nil
  }
}

extension [ScheduleStep] {
  fileprivate func replacing(_ index: Int, _ change: (inout ScheduleStep) -> Void) -> [ScheduleStep] {
    var changed = self
    change(&changed[index])
    return changed
  }

  fileprivate func without(_ indices: [Int]) -> [ScheduleStep] {
    self.indices.filter { !indices.contains($0) }.map { self[$0] }
  }
}

extension Explorer {
  /// How many schedules may be run to shorten a failure, and how many steps all of them may have: long ones are run less
  /// often.
  private static let limit = (schedules: 5_000, steps: 300_000)

  /// A schedule that violates the same property and cannot be made simpler by one change.
  nonisolated(nonsending) func shorten(
    _ steps: [ScheduleStep], _ level: Exploration.Level, _ violation: Violation, _ body: Body
  ) async -> [ScheduleStep] {
    var best = steps
    var weight = ScheduleWeight(best)
    var left = Self.limit
    // An order of a part of the script may violate the same property for another reason: a line that leads to the others is
    // missing. Then the failure would remain when the bug is fixed.
    let omissions = violation.isOfHistory ? ScheduleOmissions.generatedAndHistory : .generated
    let mode = ScheduleMode.replay(
      level, .ending, leavingOut: omissions, findsCycles: violation.repeatsAfter != nil)
    var tried: Set<[ScheduleStep]> = []
    search: while true {
      for simplification in ScheduleStep.simplifications(of: best) {
        guard left.schedules > 0, left.steps > 0, !Task.isCancelled else { break search }
        let candidate = simplification()
        guard tried.insert(candidate).inserted else { continue }
        let played = await account(of: ReplayedSchedule(candidate, isLenient: true), mode, body)
        left.schedules -= 1
        left.steps -= played.steps.count
        guard played.violation?.label == violation.label else { continue }
        // The steps that were really taken, without impossible ones and those after the violation.
        let own = ScheduleWeight(played.steps)
        guard own < weight else { continue }
        (best, weight) = (played.steps, own)
        continue search
      }
      break
    }
    return best
  }
}

// Why a schedule violates a property: two actions whose order matters.
extension Explorer {
  /// How many schedules may be run to find that out.
  private static let exchangeLimit = 200

  /// Two actions that the schedule reduces one after the other. A schedule that reduces only this pair in the other
  /// order violates no property. `nil` if no such two were found.
  ///
  /// One step after another waits until a later step was taken. The last steps are tried first: they are the nearest to the
  /// violation.
  nonisolated(nonsending) func cause(
    of steps: [ScheduleStep], _ level: Exploration.Level, _ body: Body
  ) async -> (first: String, second: String)? {
    guard result.gaps.isEmpty else { return nil }
    let mode = ScheduleMode.replay(level, .events)
    let played = await account(of: RecordedSchedule(steps), mode, body)
    guard let recorded = played.strategy as? RecordedSchedule, !recorded.isOpaque, played.violation != nil
    else { return nil }
    let reduced = ReducedActions(played.events)
    var left = Self.exchangeLimit
    for second in recorded.steps.indices.reversed() where recorded.steps[second].step.kind != .omission {
      for first in recorded.steps.indices[..<second].reversed() where recorded.steps[first].step.kind != .omission {
        guard left > 0, !Task.isCancelled else { return nil }
        left -= 1
        let other = await account(of: ExchangedSchedule(recorded, first, after: second), mode, body)
        guard other.violation == nil, other.ending == .quiescent else { continue }
        let pairs = reduced.exchanged(in: ReducedActions(other.events))
        if pairs.count == 1, let pair = pairs.first { return (pair.first.text, pair.second.text) }
      }
    }
    return nil
  }
}

extension Explorer {
  /// Runs one schedule, from its text.
  nonisolated(nonsending) func replay(_ text: String, _ body: Body) async {
    if failLimits() { return }
    let (level, steps, stranger) = ScheduleStep.schedule(in: text)
    guard let steps else {
      isUnfit = true
      failureText = FailureText.noSchedule(text, stranger ?? "")
      result.failure = ""
      return
    }
    var played = await account(of: ReplayedSchedule(steps), .replay(level, .test), body)
    if played.violation == nil, played.ending == .cut {
      played = await account(of: ReplayedSchedule(steps), .replay(level, .test, findsCycles: true), body)
    }
    result.schedules = 1
    if failMisuse() { return }
    result.isReplay = true
    if played.ending == .cut {
      result.cut = 1
      noteLimit(of: .cut)
    }
    let replayed = played.strategy as? ReplayedSchedule
    if let misfit = replayed?.misfit {
      isUnfit = true
      failureText = FailureText.misfit(steps, misfit)
      result.failure = played.text
    } else if let violation = played.violation {
      result.failures = 1
      fail(violation, played, found: nil)
    } else if failRestless() {
      return
    } else if steps.isEmpty {
      failureText = FailureText.emptySchedule
      result.failure = ""
    } else if let number = replayed?.unplayed {
      isUnfit = result.limits.isEmpty
      failureText = FailureText.unplayed(steps, number, result.limits)
      result.failure = played.text
    } else if let unseen = played.unseen {
      failureText = FailureText.unseen(unseen, result)
      result.failure = played.text
    }
  }
}
