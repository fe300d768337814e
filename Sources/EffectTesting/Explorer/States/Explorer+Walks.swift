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
  /// Runs a schedule once more that was cut, or that has come back to one of its states. Fails if it can repeat for ever.
  nonisolated(nonsending) func hasCycle(_ steps: [ScheduleStep], _ level: Exploration.Level, _ body: Body) async -> Bool
  {
    guard result.failure == nil, runner.evidence.ends.arePromised, cycleChecksLeft > 0 else { return false }
    cycleChecksLeft -= 1
    let played = await account(of: ReplayedSchedule(steps), .replay(level, .ending, findsCycles: true), body)
    guard let violation = played.violation, violation.repeatsAfter != nil else { return false }
    result.failures += 1
    // One that has come back to a known state was not counted.
    result.schedules = max(result.schedules, 1)
    await explain(Broken(violation: violation, steps: played.steps, level: level), body)
    return true
  }
}
