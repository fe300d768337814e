// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension Explorer {
  /// A schedule that may be run again. It is kept before the schedule is ended, which may replace the runner.
  struct Original {
    /// How many closures had not returned at its end.
    var live = 0
    var events: [TraceEvent<any Sendable>]?
    var steps: [ScheduleStep] = []
    var hasStrangers = false
  }

  /// A schedule that violated a property.
  struct Broken: Sendable {
    var violation: Violation
    var steps: [ScheduleStep]
    var level: Exploration.Level
  }

  /// A schedule that was run.
  struct Played {
    var ending: ScheduleRunner.Ending
    var steps: [ScheduleStep]
    var violation: Violation?
    var strategy: any Strategy
    var level: Exploration.Level
    /// How many closures had not returned at its end.
    var live: Int
    var events: [TraceEvent<any Sendable>] = []
    /// The state at its end; a longer text is cut at ``stateLimit``.
    var state = ""
    /// What was made to go wrong.
    var strikes: [String] = []
    /// The script as code, if the search has chosen its actions.
    var script: [String] = []
    /// The schedule as a test of a test store, if it violates a property.
    var test: ScheduleTest?
    /// What was not checked because the schedule was cut before its end.
    var unseen: Ends.Unseen?

    @usableFromInline static var stateLimit: Int { 2_000 }

    /// What `replaying:` takes.
    var text: String { ScheduleStep.text(of: steps, at: level) }
  }
}
