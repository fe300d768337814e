// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Runs schedule after schedule and collects the result.
final class Explorer {
  typealias Body = nonisolated(nonsending) (Exploration.Schedule) async -> Void

  let budget: Int
  let seed: UInt64
  /// How much real time the search has; `nil` for any.
  var timeLimit: Duration?
  var phases: [Exploration.Search.Phase]
  let settings: ScheduleRunner.Settings
  /// Whether the search continues after a failure, to count all failures.
  var countsFailures = false
  /// Whether some schedules are run twice and compared; of no use where each is compared with something else.
  var checksRepeats = true
  var result = Exploration()
  var failureText: String?
  /// How long, in real time, a run is waited for that may have left the executor.
  var externalWait = Duration.milliseconds(200)

  /// Where the count of schedules is shown now and then; `nil` in tests of the explorer.
  var progress: ProgressReports?
  var runner: ScheduleRunner
  var repeats = RepeatCheck()
  private var thread = SharedThread()
  /// How long the schedule took that was run last, and when it was over.
  private(set) var duration = Duration.zero
  private var over = ContinuousClock.now
  /// Runs that never ended, even after they were cancelled; and the schedule.
  private var restless: (names: [String], line: String)?
  private(set) var hadNoStore = false
  /// Of the schedule that is to be run again: how many closures had not returned at its end, and what happened.
  var original = Original()
  /// How many schedules may still be searched for cycles.
  var cycleChecksLeft = 0
  /// When the search must end; `nil` if it need not.
  var end: ContinuousClock.Instant?
  /// Whether nothing can happen any more in the schedule at hand, and nothing waited.
  private var isAtEnd = false
  /// Whether a schedule that was replayed is none, or does not fit the code.
  var isUnfit = false
  /// Of the schedule that was run last: the runs that were cancelled while they waited.
  var suspects: (runs: [ScheduleRunner.Suspect], steps: [ScheduleStep]) = ([], [])
  /// How often a schedule was run again to find out what a run waited for, by the name of the run.
  var fruitless: [String: Int] = [:]
  /// How many runs the explorer has waited for that did not come back.
  var waitCount: Int { runner.knowledge.waitsInside.count }

  init(
    budget: Int, search: Exploration.Search, seed: UInt64, settings: ScheduleRunner.Settings
  ) {
    self.budget = budget
    self.seed = seed
    self.settings = settings
    phases = search.phases(budget: budget, seed: seed)
    runner = ScheduleRunner(settings, DepthFirst())
  }

  // MARK: - One schedule

  /// Runs one schedule of the strategy in the runner, and ends it; on demand with what happened.
  nonisolated(nonsending) func play(_ body: Body, isTraced: Bool = false) async -> (ScheduleRunner.Ending, Violation?) {
    runner.mode.detail = isTraced ? .events : .ending
    let ending = await begin(body)
    let violation = runner.schedule.feature?.violation
    original = Original(
      live: runner.schedule.feature?.live.count ?? 0,
      events: isTraced ? runner.schedule.operations?.events() ?? [] : nil,
      steps: runner.schedule.steps, hasStrangers: runner.executor.hasStrangers)
    if !runner.schedule.suspects.isEmpty { suspects = (runner.schedule.suspects, runner.schedule.steps) }
    await end()
    return (ending, violation)
  }

  /// As `play`, for another strategy, and with everything that a report needs.
  nonisolated(nonsending) func account(of strategy: any Strategy, _ mode: ScheduleMode, _ body: Body) async -> Played {
    let former = beginAgain(strategy, mode)
    let ending = await begin(body)
    var own = Ends()
    own.note(ending, runner.schedule.feature)
    let played = Played(
      ending: ending, steps: runner.schedule.steps, violation: runner.schedule.feature?.violation,
      strategy: runner.strategy, level: mode.level,
      live: runner.schedule.feature?.live.count ?? 0,
      events: runner.schedule.operations?.events() ?? [],
      state: runner.schedule.operations?.stateText() ?? "", strikes: runner.schedule.strikes,
      trail: runner.schedule.trail.entries,
      script: runner.generatedScript,
      test: runner.schedule.feature?.violation.flatMap { violation in
        violation.repeatsAfter == nil ? runner.schedule.operations?.test(violation) : nil
      },
      unseen: own.unseen)
    await end()
    (runner.strategy, runner.mode) = former
    return played
  }

  /// The next schedule is run beside the search. Returns what the search goes on with.
  func beginAgain(_ strategy: any Strategy, _ mode: ScheduleMode) -> (any Strategy, ScheduleMode) {
    defer {
      (runner.strategy, runner.mode) = (strategy, mode)
      _ = runner.strategy.begin()
    }
    return (runner.strategy, runner.mode)
  }

  private nonisolated(nonsending) func begin(_ body: Body) async -> ScheduleRunner.Ending {
    if thread.shouldYield() { await Task.yield() }
    let beginning = ContinuousClock.now
    runner.begin()
    var ending = await start(body)
    while ending == .quiescent, let feature = runner.schedule.feature, let operations = runner.schedule.operations {
      let left = runner.executor.leftTasks(hasRuns: !feature.live.isEmpty)
      let hasArrived = await hasArrival(feature, operations, left)
      if !hasArrived, !runner.schedule.rest() {
        let waiting =
          operations.unexplained().map(\.name) + operations.waitingSenders()
          + (runner.evidence.tasksMayWait ? [] : left)
        noteWaiting(waiting)
        isAtEnd = waiting.isEmpty
        runner.noteReaders(feature)
        runner.evidence.hasLeft = runner.evidence.hasLeft || result.hasLeft || runner.executor.hasStrangers
        operations.checkAnswers()
        if feature.checksEnd || !feature.hasEventuallyHeld { operations.checkEnd() }
        if feature.violation != nil { ending = .broken }
        break
      }
      ending = runner.play()
      if ending == .again { ending = await startAgain(body) }
    }
    over = ContinuousClock.now
    duration = over - beginning
    runner.executor.rest()
    if runner.executor.hasStrangers { noteGap() }
    if !GlobalJobs.areNoticed || !MadeTasks.areCounted {
      runner.noteGap("tasks that runs create: this Swift runtime has no hook for them")
    }
    noteGaps()
    // Choices alone are something to go through as well.
    hadNoStore = runner.schedule.feature == nil && runner.schedule.steps.isEmpty
    if !runner.mode.isAgain {
      runner.evidence.ends.note(ending, runner.schedule.feature)
      // Choices alone are explored only where there is no store.
      if runner.schedule.operations?.hasReduced() ?? runner.schedule.steps.contains(where: { $0.kind == .choice }) {
        runner.evidence.hasExplored = true
      }
    }
    return ending
  }

  /// Executes the body of a schedule that has begun, and plays it until it stops.
  nonisolated(nonsending) func start(_ body: Body) async -> ScheduleRunner.Ending {
    let schedule = Exploration.Schedule(runner)
    await body(schedule)
    schedule.makeStoreOfRuns()
    // The body may have come back on another thread.
    runner.executor.goOn()
    let ending = runner.play()
    return ending == .again ? await startAgain(body) : ending
  }

  /// Begins the schedule once more, with the same choices, and goes on behind them.
  private nonisolated(nonsending) func startAgain(_ body: Body) async -> ScheduleRunner.Ending {
    let choices = runner.choices
    await end()
    runner.begin(choices)
    return await start(body)
  }

  /// Such a schedule may not have been at its end.
  private func noteWaiting(_ names: [String]) {
    guard !names.isEmpty, !runner.mode.isAgain else { return }
    result.waitingCount += 1
    result.isPlain = runner.evidence.isPlain
    for name in names where !result.waiting.contains(name) { result.waiting.append(name) }
  }

  func noteGap() {
    if !result.hasLeft { result.gaps.append("work that came back from another thread") }
  }

  /// Notes the gaps that the schedule has met, in their order.
  private func noteGaps() {
    for gap in runner.gaps where !result.gaps.contains(gap.text) {
      result.gaps.append(gap.text)
      switch gap.kind {
      case .work: break
      case .time: result.timeGaps.append(gap.text)
      case .history: result.historyGaps.append(gap.text)
      }
    }
    runner.gaps = []
  }

  nonisolated(nonsending) func end() async {
    // Not the store: it may keep tasks that have ended.
    let live = runner.schedule.feature?.live
    let isClean = runner.tearDown()
    if isAtEnd, !runner.evidence.tasksMayWait { noteWaiting(runner.leftTasks) }
    isAtEnd = false
    if isClean { return }
    if runner.executor.isRestless, restless == nil, let live {
      restless = (live.map(\.name), ScheduleStep.text(of: runner.schedule.steps, at: runner.mode.level))
    }
    runner.executor.abandon()
    let former = runner
    runner = ScheduleRunner(former.settings, former.strategy)
    (runner.mode, runner.log) = (former.mode, former.log)
    runner.evidence = former.evidence
    runner.knowledge = former.knowledge
    runner.histories.takeDeeds(of: former.histories)
    runner.weights = former.weights
    runner.reachedBefore = former.reachedBefore
    runner.executor.wasBlocked = former.executor.wasBlocked
    runner.misuse = former.misuse
  }

  // MARK: - Searching

  nonisolated(nonsending) func search(_ body: Body) async {
    if failLimits() { return }
    beginTime()
    for phase in phases {
      guard await search(phase, body) else { break }
    }
    failUnproved()
  }

  func beginTime() { end = timeLimit.map { ContinuousClock.now + $0 } }

  /// How many schedules a phase may have.
  func count(of phase: Exploration.Search.Phase) -> Int {
    min(phase.share ?? .max, budget - result.spent)
  }

  /// When a phase that begins now must end; `nil` if it need not.
  func end(of phase: Exploration.Search.Phase) -> ContinuousClock.Instant? {
    guard let end, let timeLimit, phase.share != nil else { return end }
    return min(end, ContinuousClock.now + timeLimit / 20)
  }

  /// Whether another phase follows one whose share is spent. The share of an exhaustive one is all that was left.
  func goesOn(behind phase: Exploration.Search.Phase) -> Bool {
    !phase.isExhaustive && result.spent < budget
  }

  /// Whether the search goes on with the next phase.
  nonisolated(nonsending) func search(_ phase: Exploration.Search.Phase, _ body: Body) async -> Bool {
    // Where jobs are joined, each run of plain code goes on to the end, whatever others do.
    if runner.evidence.isPlain, phase.level.joinsJobs { return true }
    runner.strategy = phase.strategy
    runner.mode = ScheduleMode(level: phase.level, comparesStates: phase.strategy is VisitedStates)
    var left = count(of: phase)
    let phaseEnd = end(of: phase)
    var count = 0
    var cuts = 0
    let before = result
    let waitsBefore = result.waitingCount
    let spentBefore = result.spent
    runner.knowledge.hasReachedMore = false
    cycleChecksLeft = phase.isExhaustive ? Self.cycleLimit : 50
    runner.histories.forgetDeeds()
    runner.weights = phase.strategy is VisitedStates ? StateWeights() : nil
    let exhaustive = phase.isExhaustive
    while true {
      guard runner.strategy.begin() else { break }
      // The task of the test was cancelled.
      if Task.isCancelled {
        result.hasMore = true
        noteStopped(phase, count, since: spentBefore)
        result.cut += cuts
        return false
      }
      // However busy the machine is, something is tried.
      guard left > 0, count == 0 || phaseEnd.map({ ContinuousClock.now < $0 }) ?? true else {
        noteStopped(phase, count, since: spentBefore)
        result.cut += cuts
        return goesOn(behind: phase)
      }
      left -= 1
      let isChecked = checksRepeats && repeats.isDue(result.schedules)
      let (ending, violation) = await play(body, isTraced: isChecked)
      if ending == .redundant {
        result.redundant += 1
      } else {
        result.schedules += 1
        count += 1
      }
      if !exhaustive { result.chances += 1 }
      progress?.note(result.spent, at: phase.level, over)
      switch ending {
      case .quiescent, .redundant, .again: break
      case .cut:
        cuts += 1
        noteLimit(of: ending)
        if cuts == 1, exhaustive { await noteRepeated(original.steps, phase.level, body) }
      case .broken:
        result.failures += 1
        if let violation, result.failure == nil {
          await explain(Broken(violation: violation, steps: original.steps, level: phase.level), body)
          if !countsFailures { return false }
        }
      }
      if ending == .cut || (runner.strategy as? VisitedStates)?.closesCycle == true {
        switch await checkCycle(original.steps, phase.level, body) {
        case .goesOn where ending == .redundant:
          // A timer goes on for ever, so nothing is known of an end.
          cuts += 1
          noteLimit(of: ending)
        case .ends, .goesOn: break
        case .fails: if !countsFailures { return false }
        }
      }
      if failMisuse() || failRestless() { return false }
      if exhaustive, runner.knowledge.hasReachedMore {
        // What can happen in the schedules so far is not all that can happen.
        forget(since: before)
        return await search(phase, body)
      }
      if case .diverged(let step) = runner.strategy.finding, !result.hasLeft {
        failUncontrolled(
          "what can happen at choice \(step + 1) of schedule \(result.schedules) is not what could happen there before")
        return false
      }
      // Only an exhaustive search can be complete.
      let isSlow = checksRepeats && exhaustive && ending == .quiescent && repeats.isSlow(duration)
      let steps = original.steps
      if isChecked, ending != .redundant, await !isRepeatable(phase.level, body) { return false }
      if isSlow { await repeatSlow(steps, phase.level, body) }
      if !suspects.runs.isEmpty { await probe(phase.level, body) }
    }
    result.cut += cuts
    guard exhaustive else { return true }
    // Work that comes back from outside comes at any time, and so turns a schedule into another one.
    guard runner.strategy.finding == .none else { return true }
    let states = (runner.strategy as? VisitedStates)?.states
    if let states, result.failures == 0 {
      switch await walk(among: states, phase.level, body) {
      case .agrees: break
      case .violates: return false
      case .differs:
        forget(since: before)
        return await search(phase, body)
      }
    }
    result.hasSurprise = runner.knowledge.hasSurprise
    let isCompared = runner.knowledge.memory != .unknown
    noteTried(
      phase.level, count, states: isCompared ? states?.count : nil, cut: cuts,
      waiting: result.waitingCount - waitsBefore)
    return true
  }

  /// The budget is spent in a phase. Of an exhaustive search that has begun the next schedule is known.
  func noteStopped(_ phase: Exploration.Search.Phase, _ count: Int, since spent: Int) {
    guard phase.isExhaustive, count > 0 || !result.completed.isEmpty else { return }
    result.hasMore = true
    let states = runner.knowledge.memory == .unknown ? nil : (runner.strategy as? VisitedStates)?.states.count
    result.stopped = Exploration.Stopped(level: phase.level, schedules: result.spent - spent, states: states)
    result.advice = runner.weights?.advice ?? ""
  }

  /// Everything that can be chosen at a level has been tried.
  func noteTried(_ level: Exploration.Level, _ count: Int, states: Int?, cut: Int, waiting: Int) {
    if cut == 0, result.gaps.isEmpty, result.waitingCount == 0 {
      result.completed.append((level, count, states))
    } else {
      result.exhausted = Exploration.Exhausted(level: level, count: count, cut: cut, waiting: waiting)
    }
  }

  /// A phase begins again: the schedules that it has run so far do not count.
  func forget(since before: Exploration) {
    let found = result
    result = before
    (result.gaps, result.timeGaps, result.historyGaps) = (found.gaps, found.timeGaps, found.historyGaps)
    (result.waiting, result.limits) = (found.waiting, found.limits)
    (result.ongoing, result.repeated) = (found.ongoing, found.repeated)
  }

  /// Each further schedule would take as long, and leave as much behind.
  func failRestless() -> Bool {
    guard let restless, failureText == nil else { return false }
    result.failure = restless.line
    failureText = FailureText.restless(restless.names, restless.line, settings)
    return true
  }

  /// Notes which actions repeat in a schedule that was cut, by the names of their cases: at most two, the most frequent first.
  private nonisolated(nonsending) func noteRepeated(
    _ steps: [ScheduleStep], _ level: Exploration.Level, _ body: Body
  ) async {
    guard result.repeated.isEmpty else { return }
    let played = await account(of: ReplayedSchedule(steps), .replay(level, .events), body)
    var counts: [String: Int] = [:]
    for event in played.events {
      guard case .reduced(let action, _) = event.kind else { continue }
      counts[String(TraceText.of(action).prefix { $0 != "(" }), default: 0] += 1
    }
    let frequent = counts.filter { $0.value > 2 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    result.repeated = frequent.prefix(2).map { "`\($0.key)` comes \($0.value) times" }
  }

  func fail(
    _ violation: Violation, _ played: Played, found: (number: Int, steps: Int)?,
    _ cause: (first: String, second: String)? = nil
  ) {
    result.failure = played.text
    failureText = FailureText.broken(violation, played, found: found, cause, settings)
  }

  func failUncontrolled(_ text: String) {
    result.failure = result.failure ?? ""
    failureText = FailureText.uncontrolled(text)
  }

  /// Finds a short schedule that violates the same property, and makes the text of the failure.
  nonisolated(nonsending) func explain(_ broken: Broken, _ body: Body) async {
    let level = broken.level
    let number = result.schedules
    let shortened = await shorten(broken.steps, level, broken.violation, body)
    let played = await account(
      of: ReplayedSchedule(shortened),
      .replay(level, .test, findsCycles: broken.violation.repeatsAfter != nil), body)
    guard let violation = played.violation else {
      return failUncontrolled(
        """
        `\(ScheduleStep.text(of: shortened, at: level))` violated `\(broken.violation.label)` the first time, and not the second \
        time
        """)
    }
    let cause = violation.repeatsAfter == nil ? await cause(of: shortened, level, body) : nil
    fail(violation, played, found: (number, broken.steps.count), cause)
  }
}

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
  struct Broken {
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
    /// Which code was executed, if it has no store.
    var trail: [ExecutionTrail.Entry] = []
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
