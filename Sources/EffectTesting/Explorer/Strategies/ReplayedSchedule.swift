// This source file is part of swift-effects. License: Apache-2.0.

/// Plays a given schedule, and after its last step goes on to the end in a fixed way.
struct ReplayedSchedule: Strategy {
  private let steps: [ScheduleStep]
  /// Whether a step that is not possible is left out, for a schedule that is being shortened.
  private let isLenient: Bool
  private var position = 0
  private var hasBegun = false
  /// The first step that was not possible, and the steps that were possible instead.
  private(set) var misfit: (position: Int, possible: [ScheduleStep])?

  init(_ steps: [ScheduleStep], isLenient: Bool = false) {
    self.steps = steps
    self.isLenient = isLenient
  }

  var finding: StrategyFinding { misfit.map { .diverged(at: $0.position) } ?? .none }

  /// The first step that was not reached; `nil` if all were.
  var unplayed: Int? {
    // Omissions after the last step that was taken need not be reached.
    steps[position...].firstIndex { $0.kind != .omission }
  }

  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    while position < steps.count, misfit == nil {
      if let index = options.firstIndex(where: { $0.step == steps[position] }) {
        position += 1
        return index
      }
      guard isLenient else {
        misfit = (position, Self.possible(options))
        break
      }
      position += 1
    }
    return Self.ending(among: options)
  }

  /// What is shown of the options: a part of a job is possible wherever the job is, and a line can be left out wherever it can be
  /// taken.
  private static func possible(_ options: [ScheduleOption]) -> [ScheduleStep] {
    options.map(\.step).filter { $0.kind != .jobPart && $0.kind != .omission }
  }

  /// Goes on to the end: first what is in progress, then the script, time last.
  static func ending(among options: [ScheduleOption]) -> Int {
    for kind in [ScheduleStep.Kind.choice, .end, .delivery, .job, .jobPart, .script, .deadline] {
      if let index = options.firstIndex(where: { $0.step.kind == kind }) { return index }
    }
    return 0
  }
}
