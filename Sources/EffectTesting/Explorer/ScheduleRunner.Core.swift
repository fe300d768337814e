// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension ScheduleRunner {
  /// State that changes all the time, and is therefore not checked for overlapping accesses.
  struct Core {
    var settings: Settings
    var strategy: any Strategy
    var steps: [ScheduleStep] = []
    var feature: ExploredFeature?
    var script: ScriptBook?
    var fired = 0
    var moves: Moves?
    var last = ScheduleAgent.none
    var options: [ScheduleOption] = []
    var deadlines: [Deadline] = []
    var dueNumbers: [UInt64] = []
    /// Whether the strategy gets a record of each step.
    var recordsSteps = false
    var recorder = StepRecorder()
    /// Whether the strategy chooses between jobs and parts of them.
    var choosesParts = false
    /// Whether jobs that have stopped behind an action go on only at once, or as soon as their run was cancelled.
    var holdsJobs = false
    /// Whether some job does not go on now for this reason.
    var hasHeld = false
    /// How many steps there were when a job stopped behind an action for the last time.
    var heldAt = 0
    /// The steps that are taken again, because a job of the schedule could not stop.
    var repeated = RepeatedSteps()
  }

  struct Deadline {
    var number: UInt64
    var isAlarm: Bool
  }
}

extension ScheduleRunner {
  var settings: Settings {
    _read { yield core.value.settings }
    _modify { yield &core.value.settings }
  }
  var strategy: any Strategy {
    _read { yield core.value.strategy }
    _modify { yield &core.value.strategy }
  }
  /// The steps that were taken, in this order.
  var steps: [ScheduleStep] {
    _read { yield core.value.steps }
    _modify { yield &core.value.steps }
  }
  /// The store of this schedule.
  var feature: ExploredFeature? {
    _read { yield core.value.feature }
    _modify { yield &core.value.feature }
  }
  var script: ScriptBook? {
    _read { yield core.value.script }
    _modify { yield &core.value.script }
  }
  /// How many deadlines have fired.
  var fired: Int {
    _read { yield core.value.fired }
    _modify { yield &core.value.fired }
  }
  var recordsSteps: Bool {
    _read { yield core.value.recordsSteps }
    _modify { yield &core.value.recordsSteps }
  }
  var choosesParts: Bool {
    _read { yield core.value.choosesParts }
    _modify { yield &core.value.choosesParts }
  }
  var holdsJobs: Bool {
    _read { yield core.value.holdsJobs }
    _modify { yield &core.value.holdsJobs }
  }
  var hasHeld: Bool {
    _read { yield core.value.hasHeld }
    _modify { yield &core.value.hasHeld }
  }
  var heldAt: Int {
    _read { yield core.value.heldAt }
    _modify { yield &core.value.heldAt }
  }
  var repeated: RepeatedSteps {
    _read { yield core.value.repeated }
    _modify { yield &core.value.repeated }
  }
  var recorder: StepRecorder {
    _read { yield core.value.recorder }
    _modify { yield &core.value.recorder }
  }
  var moves: Moves? {
    _read { yield core.value.moves }
    _modify { yield &core.value.moves }
  }
  var last: Int32 {
    _read { yield core.value.last }
    _modify { yield &core.value.last }
  }
  var options: [ScheduleOption] {
    _read { yield core.value.options }
    _modify { yield &core.value.options }
  }
  var deadlines: [Deadline] {
    _read { yield core.value.deadlines }
    _modify { yield &core.value.deadlines }
  }
  var dueNumbers: [UInt64] {
    _read { yield core.value.dueNumbers }
    _modify { yield &core.value.dueNumbers }
  }
}
