// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension ScheduleRunner {
  /// What a call of `explore` has said about its schedules.
  struct Settings {
    var stepLimit = 1_000
    var deadlineLimit = 20
    var faults = Exploration.Faults.none
    var carrying: [CarriedValue] = []
    /// For tests that compare misuse with a model: a `cancel` that reaches a tree around it, and overlaps that conflict.
    var allowsMisuse = false
  }

  struct Suspect {
    var name: String
    /// The number of the step that cancelled it.
    var step: Int
    /// Its number among all runs of the schedule.
    var run: Int?
  }

  /// Why a schedule has stopped.
  enum Ending {
    /// Nothing can happen any more.
    case quiescent
    case broken
    /// A limit was reached.
    case cut
    /// A job could not stop before it posted a message. It can if the schedule is begun once more.
    case again
    /// What can happen from here is known from an earlier schedule.
    case redundant
  }
}
