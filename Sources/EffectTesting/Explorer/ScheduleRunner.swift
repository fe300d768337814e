// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

/// Plays one schedule: holds what can happen next, and what has happened.
///
/// Everything happens on the caller's thread and inside of ``play()``. The same runner plays one schedule after
/// another, as long as each leaves no work behind.
@usableFromInline
final class ScheduleRunner {
  @usableFromInline let executor = ScheduleExecutor()
  @usableFromInline let clock = TestClock()
  // SAFETY: the runner is the player.
  var histories: RunHistories { unsafe executor.histories }
  @usableFromInline var time: TimeSource {
    clock.withoutReaders { TimeSource(clock, uncounted: { [clock] in clock.offset }) }
  }
  @usableFromInline var isTraced: Bool { mode.detail >= .events }
  @usableFromInline var carried: [CarriedValue] { settings.carrying }
  /// By which lines the states multiply, if it is counted.
  var weights: StateWeights?
  /// Of this schedule and those before.
  var evidence = SearchEvidence()
  var knowledge = SearchKnowledge()
  /// Where each step is written before it is taken, if anywhere.
  var log: ScheduleLog?
  let settings: Settings
  /// A body has made more than one store. Only the first one is played.
  var hasSecondStore = false
  /// A mistake in a script, to be reported.
  var misuse: String?
  /// What was not chosen, in any schedule; and whether it is a read of the time, after which the rest is still
  /// repeatable.
  var gaps: [(text: String, kind: Exploration.GapKind)] = []
  /// The lines of runs that a cancel can reach behind an action, as they were known when this schedule began for the first time.
  var reachedBefore: Set<Int> = []

  // SAFETY: what changes all the time is not checked for overlapping accesses, which took a fifth of a schedule's time. One thread plays,
  // and no access calls code that could make another access.
  @safe @exclusivity(unchecked) var strategy: any Strategy
  @safe @exclusivity(unchecked) var mode = ScheduleMode()
  /// The schedule that is being played.
  @safe @exclusivity(unchecked) var schedule = ScheduleInPlay()
  @safe @exclusivity(unchecked) var options: [ScheduleOption] = []
  @safe @exclusivity(unchecked) var deadlines: [Deadline] = []
  @safe @exclusivity(unchecked) var dueNumbers: [UInt64] = []
  /// Whether states are compared, with those of other schedules or with each other.
  @safe @exclusivity(unchecked) private(set) var comparesStates = false
  /// Whether a cancelled closure that was not called is never called, and jobs of other cancelled closures are executed at once:
  /// no code can observe the difference.
  @safe @exclusivity(unchecked) var forgetsCancelled = false
  /// Tasks of the last schedule that had not ended when everything else was over.
  private(set) var leftTasks: [String] = []
  private var spare: (feature: ExploredFeature, operations: Operations)?

  init(_ settings: Settings, _ strategy: any Strategy) {
    (self.settings, self.strategy) = (settings, strategy)
    clock.noteReaders()
    histories.now = { [clock] in clock.offset }
    histories.lastSleeper = { [clock] in clock.lastSleeper }
    histories.sleeps = { [clock] run, last in
      let now = clock.offset
      return clock.sleepersInOrder.reduce(0) {
        $1.run == run && $1.number > last ? $0 &+ ($1.deadline - now).hashValue : $0
      }
    }
  }

  /// Begins the next schedule, or the same one once more.
  ///
  /// - Parameter repeated: the steps that are taken first, without the strategy: it has chosen them before.
  func begin(_ repeated: RepeatedSteps = RepeatedSteps()) {
    schedule.begin(repeated)
    comparesStates = mode.comparesStates || mode.findsCycles
    log?.begin(mode.level)
    // A trace of code without a store names what was executed. Which code it is, the body says later.
    histories.begin(
      comparesStates || isTraced ? max(knowledge.memory, .shared) : nil, namesState: knowledge.capturesState,
      comparesDeeds: comparesStates)
    forgetsCancelled = false
    if repeated.isEmpty { reachedBefore = knowledge.reachedLines }
    clock.reset()
    executor.begin()
  }

  /// The store of this schedule has named states that some schedule must reach.
  @usableFromInline
  func expect<State>(_ states: KeyValuePairs<String, (State) -> Bool>) { evidence.sometimes.begin(states) }

  /// The store of this schedule has requirements.
  @usableFromInline
  func expect<State>(_ requirements: [Exploration.Requirement<State>]) { evidence.tested.begin(requirements) }

  @usableFromInline
  func use(_ feature: ExploredFeature, _ script: ScriptBook, _ operations: Operations) {
    guard schedule.feature == nil else {
      hasSecondStore = true
      return
    }
    feature.hasStops = !mode.level.joinsJobs && !(knowledge.stoppingLines.isEmpty && reachedBefore.isEmpty)
    feature.keepsReturned = mode.isProbe
    (schedule.feature, schedule.script, schedule.operations) = (feature, script, operations)
    (executor.inside.value.feature, spare) = (feature, nil)
  }

  // MARK: - Playing

  /// Goes on until nothing can happen, a property is violated or a limit is reached.
  func play() -> Ending {
    guard let feature = schedule.feature, let operations = schedule.operations else { return .quiescent }
    executor.startPlaying()
    defer { executor.stopPlaying() }
    if let senders = schedule.script?.senders { feature.observesEnds = senders.observesEnds }
    // Not read from `operations` each time, which would retain them for each call.
    let (absorb, take) = (operations.absorb, operations.take)
    while true {
      var hasMail = absorb()
      while mode.level.isEager, hasMail, !feature.hasFailed {
        take()
        hasMail = absorb()
      }
      // A turn may run cancellation handlers, which may make jobs ready on other executors.
      if executor.hasLeavers { noteGaps("", of: executor.takeLeavers(), feature) }
      strategy.note(jobs: schedule.jobCount..<executor.jobCount)
      schedule.jobCount = executor.jobCount
      if feature.hasFailed { return .broken }
      list(hasMail: hasMail, feature, operations)
      if takeLastEnds(feature, operations) { continue }
      if options.isEmpty {
        if comparesStates { _ = isKnown(feature, operations) }
        return .quiescent
      }
      if schedule.steps.count >= min(settings.stepLimit, mode.stepLimit) || schedule.fired > settings.deadlineLimit {
        return .cut
      }
      if comparesStates, isKnown(feature, operations) { return .redundant }
      if mode.findsCycles, feature.hasFailed { return .broken }
      if mode.replays != nil { listOmissions() }
      let option = options[ask(options, last: schedule.last)]
      if option.step.kind == .omission {
        if leavesOut(option.step) { continue }
        return .cut
      }
      schedule.take(option)
      let isOver = perform(option.step, feature, operations)
      if comparesStates { noteShared() }
      if option.step.isJob, let run = executor.takeMissedStop(), mustRepeat(run, feature) { return .again }
      if !isOver { return .cut }
    }
  }

  /// Lets the strategy choose a number below a bound.
  func choose(_ count: Int) -> Int {
    // Everything is being ended: a closure that goes on chooses nothing any more.
    if count < 2 || schedule.feature?.isEnding == true { return 0 }
    let number = chooseStep(of: count)
    histories.chosen(number)
    return number
  }

  /// Whether the closure of a run that is cancelled is never called. The strategy chooses, unless no code can observe it.
  func chooseWhetherCalled(_ isForgotten: Bool) -> Bool {
    // The closure of a task is always called.
    if evidence.isPlain { return false }
    guard forgetsCancelled, isForgotten else { return chooseStep(of: 2) == 1 }
    // A replay makes this choice as any other.
    let step = schedule.repeated.next() ?? ScheduleStep(kind: .choice, index: 1)
    schedule.steps.append(step)
    log?.append(step)
    return true
  }

  private func chooseStep(of count: Int) -> Int {
    options.removeAll(keepingCapacity: true)
    for index in 0..<count {
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .choice, index: Int32(index)), agent: ScheduleAgent.none))
    }
    return takeChoice()
  }

  /// Lets the strategy choose a number, and returns the place of its option.
  private func takeChoice() -> Int {
    let choice = ask(options, last: ScheduleAgent.none)
    schedule.steps.append(options[choice].step)
    return choice
  }

  /// Lets the strategy choose, unless its choice is known from before.
  private func ask(_ options: [ScheduleOption], last: Int32) -> Int {
    let choice = answer(to: options, last: last)
    log?.append(options[choice].step)
    return choice
  }

  private func answer(to options: [ScheduleOption], last: Int32) -> Int {
    if let step = schedule.repeated.next() {
      if let index = options.firstIndex(where: { $0.step == step }) { return index }
      noteGap("a schedule that was not the same when it was run again")
    }
    return strategy.choose(among: options, last: last)
  }

  /// A job could not stop where others could act. Whether the schedule is repeated, with a job that can.
  private func mustRepeat(_ token: Token, _ feature: ExploredFeature) -> Bool {
    let run = feature.live.first { $0.token == token }
    if let run, knowledge.stoppingLines.insert(run.operation.site.line).inserted { return true }
    noteGap("what happens between two actions of \(run?.name ?? "work of no run")")
    return false
  }

  /// A run is cancelled that has sent an action, and whose closure may have more lines.
  func noteReach(of run: LiveRun) {
    guard !mode.level.joinsJobs,
      knowledge.reachedLines.insert(run.operation.site.line).inserted
    else { return }
    knowledge.hasReachedMore = true
  }

  /// What this schedule has chosen, to begin it once more.
  var choices: RepeatedSteps { RepeatedSteps(schedule.steps, subsets: schedule.repeated.subsets) }

  /// The generated actions that this schedule uses, of `count` ones; `nil` for all.
  func subset(of count: Int) -> [Int]? { schedule.repeated.subset { strategy.subset(of: count) } }

  /// Lets the strategy choose an action, counted from 1, or 0 for the end of the script.
  ///
  /// Actions of a subset are offered several times, so that the end is as probable as among all actions. A step has the
  /// number of its action among all, so that it can be replayed.
  func chooseAction(of count: Int, from subset: [Int]?) -> Int {
    guard let subset else { return choose(count + 1) }
    // Only a random search has subsets, and compares no states.
    options.removeAll(keepingCapacity: true)
    for place in 0...count {
      let number = place == 0 ? 0 : subset[(place - 1) % subset.count] + 1
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .choice, index: Int32(number)), agent: ScheduleAgent.none))
    }
    return Int(options[takeChoice()].step.index)
  }

  /// The steps of a generated script that were taken, as code; empty if the script is not generated.
  var generatedScript: [String] {
    guard let script = schedule.script, script.isGenerated else { return [] }
    if let senders = script.senders { return senders.text(script.lines, taking: schedule.steps) }
    let taken = schedule.steps.filter { $0.kind == .script || $0.kind == .omission }
    return zip(script.lines, taken).compactMap { $1.kind == .script ? $0 : nil }
  }

  private func perform(_ step: ScheduleStep, _ feature: ExploredFeature, _ operations: Operations) -> Bool {
    switch step.kind {
    case .script:
      if let number = schedule.script?.takeNext(of: step.index, now: clock.offset) { operations.post(number) }
    case .delivery: operations.take()
    case .end:
      schedule.lastEndWasQuiet = isQuiet(end: Int(step.index), operations)
      operations.takeEnd(Int(step.index))
    case .job, .jobPart:
      // A read by a property or the reducer belongs to the test.
      if clock.hasReaders {
        clock.keepReaders(false)
        noteReader()
      }
      if isTraced, evidence.isPlain { noteExecution(of: executor.job(at: step.index), feature) }
      // This returns early if a run has suspended that a fault cancels then.
      let hasEnded = executor.run(
        Int(step.index), joinsJobs: mode.level.joinsJobs, isPart: step.kind == .jobPart)
      if executor.hasLeavers { noteGaps("", of: executor.takeLeavers(), feature) }
      if executor.wasBlocked { noteGap(FailureText.heldLock) }
      if clock.hasReaders {
        clock.keepReaders(true)
        schedule.readers += feature.live
      }
      if feature.hasFaults { operations.cancelSuspended() }
      return hasEnded
    case .deadline:
      schedule.fired += 1
      if schedule.fired > settings.deadlineLimit { schedule.ongoing = feature.asleep }
      let deadline = deadlines[Int(step.index)]
      if isTraced, evidence.isPlain { schedule.trail.add("clock", "a deadline comes") }
      if deadline.isAlarm { operations.fireAlarm() } else { clock.wake(deadline.number) }
      if schedule.script?.senders != nil, !deadline.isAlarm { operations.cutShutdown(deadline.number) }
    case .choice, .omission: break
    }
    return true
  }

  /// Notes something whose outcome the search does not choose, in these runs or in work of no run.
  func noteGaps(_ text: String, of runs: [Token?], _ feature: ExploredFeature) {
    for run in runs {
      let known = feature.live + schedule.readers
      let name = run.flatMap { token in known.first { $0.token == token }?.name }
      noteGap(text + (name ?? "work of no run"), text.isEmpty ? .work : .time)
    }
  }

  /// Notes something that the search does not explore, to be named in the result.
  func noteGap(_ gap: String, _ kind: Exploration.GapKind = .work) {
    if !gaps.contains(where: { $0.text == gap }) { gaps.append((gap, kind)) }
  }

  /// A fault was injected into a run.
  func noteStrike(_ number: Int, on operation: any AnyOperation) {
    evidence.struckFaults.insert(number)
    if isTraced {
      schedule.strikes.append("\(settings.faults.all[number]) into \(EffectRun(operation)) at \(operation.site)")
    }
  }

  /// Leaves out the next step of a sender. `false` if the schedule may not do without this step.
  private func leavesOut(_ step: ScheduleStep) -> Bool {
    guard let script = schedule.script, let omissions = mode.replays else { return false }
    script.omitNext(of: step.index, now: clock.offset)
    schedule.steps.append(step)
    return script.isWhole(butFor: omissions)
  }

  /// Whether the closure of the run with this number has returned, if the store remembers that.
  func hasReturned(_ number: Int) -> Bool {
    guard let feature = schedule.feature, let operations = schedule.operations else { return false }
    return feature.returnedRuns.contains(number)
      || feature.live.contains { $0.number == number && operations.holdsEnd($0.token) }
  }

  /// Runs what is ready, and ignores what it sends.
  func runReady() {
    executor.startPlaying()
    defer { executor.stopPlaying() }
    executor.drain()
    _ = executor.takeNoteOfMail()
  }

  /// Ends everything. Returns whether nothing is left.
  func tearDown() -> Bool {
    executor.startPlaying()
    defer { executor.stopPlaying() }
    guard schedule.feature != nil, let isOver = schedule.operations?.tearDown() else {
      return executor.readyCount == 0
    }
    // A store that was shut down accepts nothing any more. One that keeps what a task refers to must go for the task to end.
    if isOver, !isTraced, schedule.script?.senders == nil, !executor.hasMadeTasks {
      spare = schedule.feature.flatMap { feature in schedule.operations.map { (feature, $0) } }
    }
    (schedule.feature, schedule.operations, executor.inside.value.feature) = (nil, nil, nil)
    leftTasks = executor.endTasks(hasRuns: !isOver)
    return isOver && executor.readyCount == 0
  }

  /// The store of the schedule before, if it left no work behind.
  @usableFromInline
  var spareFeature: ExploredFeature? { isTraced ? nil : spare?.feature }

  /// The spare store is used again.
  @usableFromInline
  func useSpare(_ script: ScriptBook) {
    guard let spare else { return }
    use(spare.feature, script, spare.operations)
  }
}
