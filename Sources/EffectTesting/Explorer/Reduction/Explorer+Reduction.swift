// This source file is part of swift-effects. License: Apache-2.0.

// The check that independent steps are independent. Memory that a reducer or a property shares with mocks is invisible.
extension Explorer {
  /// How many schedules are compared at most.
  private static let limit = 100

  /// Runs random schedules, and for each of them an equivalent one. Returns whether these have the same outcome.
  ///
  /// The schedules are not counted: they were left out, or have been run.
  nonisolated(nonsending) func agrees(_ level: Exploration.Level, classes: Int, _ body: Body) async -> Bool {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<min(classes, Self.limit) {
      if Task.isCancelled || result.hasLeft { return true }
      let first = await account(of: RecordedWalk(seed: numbers.next()), level, isTraced: false, body)
      guard let walk = first.strategy as? RecordedWalk, !walk.isOpaque, first.ending != .cut else { continue }
      let second = await account(of: ReorderedSchedule(walk, seed: numbers.next()), level, isTraced: false, body)
      guard let order = second.strategy as? ReorderedSchedule, !order.isOther else { continue }
      let outcomes = (Outcome(first), Outcome(second))
      // The search has found no violation in any class.
      if first.violation == nil, order.isComplete, outcomes.0 == outcomes.1 { continue }
      // An outcome that differs when the same schedule is run again says nothing about the order.
      let again = await account(of: ReplayedSchedule(first.steps), level, isTraced: false, body)
      guard Outcome(again) == outcomes.0 else { continue }
      result.failure = ""
      failureText = FailureText.disagreeing((first.text, outcomes.0.description), (second.text, outcomes.1.description))
      return false
    }
    return true
  }

  /// What equivalent schedules have in common.
  private struct Outcome: Equatable, CustomStringConvertible {
    var violation: Violation?
    var state: String
    /// How many closures had not returned.
    var live: Int

    init(_ played: Played) {
      violation = played.violation
      state = played.state
      live = played.live
    }

    var description: String {
      var text = state
      if let violation { text += "\nviolates `\(violation.label)`" }
      if live > 0 { text += "\n\(Exploration.count(live, "run")) had not returned" }
      return text
    }
  }
}
