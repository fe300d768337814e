// This source file is part of swift-effects. License: Apache-2.0.

/// How a schedule is played, whichever steps a strategy chooses for it.
struct ScheduleMode {
  /// What is kept of a schedule, each with all that the one before keeps.
  enum Detail: Comparable {
    /// How it has ended.
    case ending
    /// What has happened in it.
    case events
    /// What a test with the same order needs.
    case test
  }

  var level = Exploration.Level.steps
  var detail = Detail.ending
  /// A schedule with more steps is cut. The settings may set a lower limit.
  var stepLimit = Int.max
  /// Whether it is run beside the search, and so is not counted.
  var isAgain = false
  /// If recorded steps are played, which steps of the script they may leave out. Then an omission is an option, and so is a part of
  /// each job. In a search a job is executed in parts if that can make a difference: see ``SearchKnowledge/reachedLines``.
  var replays: ScheduleOmissions?
  /// Whether the strategy compares states, so that the histories of runs are kept.
  var comparesStates = false
  /// Whether the states of the schedule are compared with each other, because it has come back to one or has reached a limit.
  var findsCycles = false
  /// Whether it is run to find out if a run waits for something outside.
  var isProbe = false

  /// Recorded steps are played.
  static func replay(
    _ level: Exploration.Level, _ detail: Detail, leavingOut omissions: ScheduleOmissions = .all,
    findsCycles: Bool = false
  ) -> ScheduleMode {
    ScheduleMode(level: level, detail: detail, isAgain: true, replays: omissions, findsCycles: findsCycles)
  }
}

/// Which steps of a script a schedule may leave out.
enum ScheduleOmissions {
  case all
  /// Actions that the search has chosen.
  case generated
  /// The same, and requests that belong to a history: the history without them is one that the script could have had.
  case generatedAndHistory
}
