// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// One schedule while it is played: its store, its script, and the steps that have been taken.
///
/// A ``ScheduleRunner`` has one, and begins the next schedule with a new one. So nothing of a schedule is left for the next.
/// It is a property of the runner and no `inout` parameter: while a step is taken, reducers, faults and mocks choose, note
/// and start through the runner ([0040](../../../Docs/Decisions/0040-a-schedule-is-a-value-of-its-runner.md)).
struct ScheduleInPlay {
  /// Its store.
  var feature: ExploredFeature?
  /// What that store does.
  var operations: ScheduleRunner.Operations?
  var script: ScriptBook?
  /// The steps that were taken, in this order.
  var steps: [ScheduleStep] = []
  /// Who has taken the last one.
  private(set) var last = ScheduleAgent.none
  /// The number of the step that is being taken. Choices within it have numbers of their own.
  private(set) var stepAtHand = 0
  /// The steps that are taken again, because a job of the schedule could not stop.
  var repeated = RepeatedSteps()
  /// The states that it has reached, if they are to be compared with each other.
  var reached = ReachedStates()
  /// How many deadlines have fired.
  var fired = 0
  /// The runs that slept when one too many fired.
  var ongoing: [String] = []
  /// Whether the end that was taken last was quiet; see `listEnds`.
  var lastEndWasQuiet = false
  /// Runs that have read the time, and others.
  var readers: [LiveRun] = []
  /// What was executed, for a failure of code without a store.
  var trail = ExecutionTrail()
  /// The step of the script that is only taken when nothing else can happen, if there is one.
  var lastStep: Int?
  /// Whether nothing else can happen.
  private(set) var isAtRest = false
  /// How many jobs had become ready when the last step was over.
  var jobCount: Int32 = 0
  /// How many faults have been injected.
  private(set) var faultCount = 0
  /// These faults, for the failure text.
  var strikes: [String] = []
  /// Runs that were cancelled while they waited, maybe for something outside.
  private(set) var suspects: [ScheduleRunner.Suspect] = []
  /// How many runs of each id have started, for faults that follow from a seed.
  private(set) var starts: [EffectID: Int] = [:]

  /// Nothing can happen any more. Returns whether the script has a step for this moment.
  mutating func rest() -> Bool {
    guard lastStep != nil, !isAtRest else { return false }
    isAtRest = true
    return true
  }

  /// Begins the next schedule.
  ///
  /// - Parameter repeated: the steps that are taken first, without the strategy: it has chosen them before.
  mutating func begin(_ repeated: RepeatedSteps) {
    // The memory of the steps is used again.
    var steps: [ScheduleStep] = []
    swap(&steps, &self.steps)
    steps.removeAll(keepingCapacity: true)
    self = ScheduleInPlay()
    self.steps = steps
    self.repeated = repeated
  }

  /// A step was chosen and is being taken.
  mutating func take(_ option: ScheduleOption) {
    stepAtHand = steps.count
    steps.append(option.step)
    last = option.agent
    reached.noteStep(by: option.agent)
  }

  /// A fault is injected into a run.
  mutating func countFault() { faultCount += 1 }

  /// The step at hand cancels a run that waits, maybe for something outside.
  mutating func noteCancel(ofWaiting run: LiveRun) {
    suspects.append(ScheduleRunner.Suspect(name: run.name, step: stepAtHand, run: run.number))
  }

  /// The number of a run among those of its id that have started.
  mutating func countStart(of id: EffectID) -> Int {
    starts[id, default: 0] += 1
    return starts[id, default: 0]
  }
}
