// This source file is part of swift-effects. License: Apache-2.0.

/// A state that a schedule has reached, as hashes.
@usableFromInline
struct StateKey: Equatable {
  /// All that can influence what comes, if closures with equal names and histories do the same.
  let state: Int
  /// The origins of the closures of which this is not known yet; 0 if there are none.
  let difference: Int
  /// The origins of all closures.
  let origins: Int
}

/// The states of one schedule: whether it comes back to one, and could go on like this for ever.
struct ReachedStates {
  private struct Place {
    let step: Int
    /// How many events there were.
    let events: Int
    /// Agents with a smaller number existed already.
    let nextAgent: Int32
  }

  private var places: [Int: Place] = [:]
  /// The step that each agent has taken last, counted from 1.
  private var lastSteps: [Int32: Int] = [:]
  private var count = 0

  mutating func noteStep(by agent: Int32) {
    count += 1
    if !places.isEmpty { lastSteps[agent] = count }
  }

  /// The schedule has reached a state.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - options: what can happen next.
  ///   - hasDeadlines: whether something waits for its time. At some levels that is no option until nothing else can happen.
  ///   - nextAgent: the number that the next chain of jobs will have.
  ///   - events: how many events there were.
  /// - Returns: how many events there were when it was in this state before, if what has happened since can happen again and again.
  ///   `nil` if something could have happened all the time and did not: sooner or later it would.
  mutating func repeats(
    _ state: Int, _ options: [ScheduleOption], hasDeadlines: Bool, nextAgent: Int32, events: @autoclosure () -> Int
  ) -> Int? {
    guard let former = places[state] else {
      places[state] = Place(step: count, events: events(), nextAgent: nextAgent)
      return nil
    }
    func hasActed(_ agent: Int32) -> Bool { lastSteps[agent, default: 0] > former.step }
    let isFair = options.allSatisfy { option in
      let isNew = option.step.isJob && option.agent >= former.nextAgent
      return isNew || hasActed(option.agent)
    }
    if hasDeadlines, !hasActed(ScheduleAgent.clock) { return nil }
    return isFair ? former.events : nil
  }
}
