// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// The check that a schedule is the same when it is run again.
extension Explorer {
  /// Runs the schedule that was run last once more, and compares.
  nonisolated(nonsending) func isRepeatable(_ level: Exploration.Level, _ body: Body) async -> Bool {
    let first = original
    let steps = first.steps
    original = Original()
    if first.hasStrangers { return true }
    let second = await account(of: ReplayedSchedule(steps), level, body)
    // Work that has been outside is reported as a gap.
    guard !result.hasLeft else { return true }
    if first.live != second.live {
      failUncontrolled(
        """
        one schedule, run twice, differs: at its end \(Exploration.count(first.live, "run")) had not returned the first time, and \
        \(second.live) the second time
          schedule: `\(second.text)`
        """)
      return false
    }
    if let events = first.events {
      let lines = [events.map { $0.description }, second.events.map { $0.description }]
      if let index = RepeatCheck.difference(lines[0], lines[1]) {
        failUncontrolled(
          FailureText.parting(
            (index < events.count ? events : second.events)[index].run, lines[0].dropFirst(index).first,
            lines[1].dropFirst(index).first, of: ScheduleStep.text(of: steps, at: level)))
        return false
      }
    }
    guard case .diverged(let step) = second.strategy.finding else { return true }
    let schedule = ScheduleStep.text(of: steps, at: level)
    failUncontrolled("step \(step + 1) of `\(schedule)` is not possible when it is run again")
    return false
  }
}

extension TraceEvent {
  /// The run that the event is about, if there is one.
  fileprivate var run: TraceRun? {
    switch kind {
    case .run(let run, _): run
    case .accepted(_, .run(let run)), .reduced(_, .run(let run)), .dropped(_, .run(let run)): run
    default: nil
    }
  }
}
