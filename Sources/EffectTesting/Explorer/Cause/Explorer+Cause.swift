// This source file is part of swift-effects. License: Apache-2.0.

// Why a schedule violates a property: two actions whose order matters.
extension Explorer {
  /// How many schedules may be run to find that out.
  private static let limit = 200

  /// Two actions that the schedule reduces one after the other. A schedule that reduces only this pair in the other
  /// order violates no property. `nil` if no such two were found.
  ///
  /// One step after another waits until a later step was taken. The last steps are tried first: they are the nearest to the
  /// violation.
  nonisolated(nonsending) func cause(
    of steps: [ScheduleStep], _ level: Exploration.Level, _ body: Body
  ) async -> (first: String, second: String)? {
    guard result.gaps.isEmpty else { return nil }
    let played = await account(of: Recorded(ReplayedSchedule(steps)), level, body)
    guard let recorded = played.strategy as? Recorded<ReplayedSchedule>, !recorded.isOpaque, played.violation != nil
    else { return nil }
    let reduced = ReducedActions(played.events)
    var left = Self.limit
    for second in recorded.steps.indices.reversed() where recorded.steps[second].step.kind != .omission {
      for first in recorded.steps.indices[..<second].reversed() where recorded.steps[first].step.kind != .omission {
        guard left > 0, !Task.isCancelled else { return nil }
        left -= 1
        let other = await account(of: ExchangedSchedule(recorded, first, after: second), level, body)
        guard other.violation == nil, other.ending == .quiescent else { continue }
        let pairs = reduced.exchanged(in: ReducedActions(other.events))
        if pairs.count == 1, let pair = pairs.first { return (pair.first.text, pair.second.text) }
      }
    }
    return nil
  }
}
