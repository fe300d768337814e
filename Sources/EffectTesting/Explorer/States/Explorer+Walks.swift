// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// The check that states which count as the same are the same. Memory that no state shows makes a difference.
extension Explorer {
  /// How many schedules are run at most after a level is complete.
  private static let walkLimit = 100

  /// What these schedules have shown.
  enum WalkResult {
    /// They came only to states that the search has reached, and violated nothing.
    case agrees
    /// One violates a property, and the test has failed.
    case violates
    /// One came to another state: closures share more than the search knew. It now knows.
    case differs
  }

  /// Runs random schedules that do not end where a state is known. They are not counted: the search has left them out.
  nonisolated(nonsending) func walk(
    among states: Set<Int>, _ level: Exploration.Level, _ body: Body
  ) async -> WalkResult {
    guard checksRepeats else { return .agrees }
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<min(states.count, Self.walkLimit) {
      if Task.isCancelled || result.hasLeft { return .agrees }
      let played = await account(
        of: StateWalk(seed: numbers.next(), among: states),
        ScheduleMode(level: level, isAgain: true, comparesStates: true), body)
      if let violation = played.violation {
        result.failures += 1
        await explain(Broken(violation: violation, steps: played.steps, level: level), body)
        return .violates
      }
      if (played.strategy as? StateWalk)?.hasLeft == true, played.ending != .cut, !runner.knowledge.hasReachedMore {
        runner.knowledge.noteDifference()
      }
      if runner.knowledge.hasReachedMore { return .differs }
    }
    return .agrees
  }
}

// A cycle that never reaches what is required.
extension Explorer {
  /// In how many schedules a search looks for a cycle. What comes back to a known state after that counts as cut.
  static let cycleLimit = 1_000

  /// What is known of a schedule that was cut, or that has come back to one of its states.
  enum CycleCheck {
    /// It ends, or nothing is required of an end.
    case ends
    /// It does not end within the limits.
    case goesOn
    /// It can repeat for ever, and the test has failed.
    case fails
  }

  /// Runs such a schedule once more, behind its own steps to its end.
  nonisolated(nonsending) func checkCycle(
    _ steps: [ScheduleStep], _ level: Exploration.Level, _ body: Body
  ) async -> CycleCheck {
    guard result.failure == nil, runner.evidence.ends.arePromised else { return .ends }
    // Not known: so it counts as cut.
    guard cycleChecksLeft > 0 else { return .goesOn }
    cycleChecksLeft -= 1
    let played = await account(of: ReplayedSchedule(steps), .replay(level, .ending, findsCycles: true), body)
    guard let violation = played.violation, violation.repeatsAfter != nil else {
      return played.ending == .cut ? .goesOn : .ends
    }
    result.failures += 1
    // One that has come back to a known state was not counted.
    result.schedules = max(result.schedules, 1)
    await explain(Broken(violation: violation, steps: played.steps, level: level), body)
    return .fails
  }

  /// A schedule has ended at a limit, or was not searched for a cycle: notes which limit, and what slept then.
  func noteLimit(of ending: ScheduleRunner.Ending) {
    let limit: String
    if runner.schedule.steps.count >= settings.stepLimit {
      limit = Exploration.count(settings.stepLimit, "step")
    } else if runner.schedule.fired > settings.deadlineLimit {
      limit = Exploration.count(settings.deadlineLimit, "deadline")
    } else if ending == .redundant, cycleChecksLeft == 0 {
      limit = Exploration.count(Self.cycleLimit, "check") + " for cycles"
    } else {
      limit = "10,000 jobs in one step"
    }
    if !result.limits.contains(limit) { result.limits.append(limit) }
    for name in runner.schedule.ongoing where !result.ongoing.contains(name) { result.ongoing.append(name) }
  }
}
