// This source file is part of swift-effects. License: Apache-2.0.

/// Plays a given schedule and records its steps, so that another one can be made of them.
struct RecordedSchedule: Strategy {
  private var base: ReplayedSchedule
  /// The steps that were taken.
  private(set) var steps: [RecordedStep] = []
  private var jobs = JobOrigins()
  /// Whether a job became ready in none of the steps, so that it cannot be identified in another schedule.
  private(set) var isOpaque = false

  init(_ steps: [ScheduleStep]) {
    base = ReplayedSchedule(steps)
  }

  var finding: StrategyFinding { base.finding }

  mutating func begin() -> Bool { base.begin() }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    let choice = base.choose(among: options, last: last)
    let option = options[choice]
    if option.step.kind == .choice {
      // Numbers that are chosen before the first step belong to the body.
      if steps.isEmpty {
        jobs.prelude.append(option.step.index)
      } else {
        steps[steps.count - 1].choices.append(option.step.index)
      }
    } else {
      let origin = jobs.origin(of: option)
      if option.step.isJob, origin == nil { isOpaque = true }
      steps.append(RecordedStep(step: option.step, origin: origin))
    }
    return choice
  }

  mutating func note(jobs numbers: Range<Int32>) {
    if !steps.isEmpty { jobs.note(numbers, of: steps.count - 1) }
  }

  /// The numbers that the body has chosen.
  var prelude: [Int32] { jobs.prelude }
}

/// A step of a schedule, described so that it can be found in another schedule.
struct RecordedStep {
  var step: ScheduleStep
  /// For a job: where it became ready.
  var origin: JobOrigins.Origin?
  /// The numbers that were chosen within the step.
  var choices: [Int32] = []
}

/// In which step each job became ready. The numbers of jobs differ between schedules with the same steps; this does not.
struct JobOrigins {
  struct Origin: Hashable {
    var step: Int
    /// How many jobs became ready before it in this step.
    var place: Int32
  }

  var prelude: [Int32] = []
  private var ranges: [(jobs: Range<Int32>, step: Int)] = []

  mutating func note(_ jobs: Range<Int32>, of step: Int) {
    if !jobs.isEmpty { ranges.append((jobs, step)) }
  }

  func origin(of option: ScheduleOption) -> Origin? {
    guard option.step.isJob, let range = ranges.first(where: { $0.jobs.contains(option.job) }) else {
      return nil
    }
    return Origin(step: range.step, place: option.job - range.jobs.lowerBound)
  }
}
