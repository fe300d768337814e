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
      let played = await account(of: StateWalk(seed: numbers.next(), among: states), level, isTraced: false, body)
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
