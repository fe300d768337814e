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

// Always inlined: as a function, an accessor that yields allocates memory for each call.
extension ScheduleRunner {
  @inline(__always)
  var settings: Settings {
    _read { yield core.value.settings }
    _modify { yield &core.value.settings }
  }
  @inline(__always)
  var strategy: any Strategy {
    _read { yield core.value.strategy }
    _modify { yield &core.value.strategy }
  }
  /// The steps that were taken, in this order.
  @inline(__always)
  var steps: [ScheduleStep] {
    _read { yield core.value.steps }
    _modify { yield &core.value.steps }
  }
  /// The store of this schedule.
  @inline(__always)
  var feature: ExploredFeature? {
    _read { yield core.value.feature }
    _modify { yield &core.value.feature }
  }
  @inline(__always)
  var script: ScriptBook? {
    _read { yield core.value.script }
    _modify { yield &core.value.script }
  }
  /// How many deadlines have fired.
  @inline(__always)
  var fired: Int {
    _read { yield core.value.fired }
    _modify { yield &core.value.fired }
  }
  @inline(__always)
  var recordsSteps: Bool {
    _read { yield core.value.recordsSteps }
    _modify { yield &core.value.recordsSteps }
  }
  @inline(__always)
  var choosesParts: Bool {
    _read { yield core.value.choosesParts }
    _modify { yield &core.value.choosesParts }
  }
  @inline(__always)
  var holdsJobs: Bool {
    _read { yield core.value.holdsJobs }
    _modify { yield &core.value.holdsJobs }
  }
  @inline(__always)
  var hasHeld: Bool {
    _read { yield core.value.hasHeld }
    _modify { yield &core.value.hasHeld }
  }
  @inline(__always)
  var heldAt: Int {
    _read { yield core.value.heldAt }
    _modify { yield &core.value.heldAt }
  }
  @inline(__always)
  var repeated: RepeatedSteps {
    _read { yield core.value.repeated }
    _modify { yield &core.value.repeated }
  }
  @inline(__always)
  var recorder: StepRecorder {
    _read { yield core.value.recorder }
    _modify { yield &core.value.recorder }
  }
  @inline(__always)
  var moves: Moves? {
    _read { yield core.value.moves }
    _modify { yield &core.value.moves }
  }
  @inline(__always)
  var last: Int32 {
    _read { yield core.value.last }
    _modify { yield &core.value.last }
  }
  @inline(__always)
  var options: [ScheduleOption] {
    _read { yield core.value.options }
    _modify { yield &core.value.options }
  }
  @inline(__always)
  var deadlines: [Deadline] {
    _read { yield core.value.deadlines }
    _modify { yield &core.value.deadlines }
  }
  @inline(__always)
  var dueNumbers: [UInt64] {
    _read { yield core.value.dueNumbers }
    _modify { yield &core.value.dueNumbers }
  }
}
