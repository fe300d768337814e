// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// A shell around an ``/EffectRuntime/Engine`` that takes a step when it is called, and never by itself.
///
/// The steps that every schedule has are inlinable. They become part of closures that are made where the type of the
/// reducer is known, as in a `Store`. At a hundred thousand schedules a second, each has ten microseconds.
@usableFromInline
final class ExploredStore<R: Reducer>: ExploredFeature, ManualShell {
  @usableFromInline typealias Action = R.Action

  // SAFETY: not checked for overlapping accesses: these checks made a fifth of a schedule's cost. There are no overlaps: what a reducer
  // or a property calls has no access to the store.
  @safe @exclusivity(unchecked) @usableFromInline var engine: Engine<R>
  /// The answers of the engine that are being performed.
  @safe @exclusivity(unchecked) @usableFromInline var outputs = EngineOutputs<R.Action>()
  @safe @exclusivity(unchecked) @usableFromInline var batch: [Message<R.Action>] = []
  @safe @exclusivity(unchecked) @usableFromInline var position = 0
  /// Ends of runs whose closures have returned. They may be taken at any time: a run does nothing after its end, so a
  /// message that is posted later may be taken before the end.
  @safe @exclusivity(unchecked) @usableFromInline var ends: [(token: Token, error: (any Error)?)] = []
  /// The runs of which an action was taken, in this schedule.
  @safe @exclusivity(unchecked) @usableFromInline var senders: [Token] = []
  /// The run whose action is being handled.
  @safe @exclusivity(unchecked) @usableFromInline var sender = Token.none
  /// Runs whose end was taken at once, because the time makes no difference.
  @safe @exclusivity(unchecked) @usableFromInline var absorbed: [Token] = []
  /// Each id with the overlap that its work has declared, if ends are taken at once.
  @safe @exclusivity(unchecked) @usableFromInline var overlaps: [(id: EffectID, overlap: Overlap)] = []
  @safe @exclusivity(unchecked) @usableFromInline var script: ScriptSteps<R.Action>
  @safe @exclusivity(unchecked) @usableFromInline var properties: ExploredProperties<R.State>

  /// Whether messages and ends are taken at once.
  @usableFromInline private(set) var isEager = false
  @usableFromInline let mailbox: Mailbox<Action>
  @usableFromInline let log = TestLog<Action>()
  unowned let runner: ScheduleRunner
  /// The run whose next action is taken twice.
  @usableFromInline var duplicated = Token.none
  /// The number of the fault that causes this.
  var duplication = 0
  /// The run whose action is being handled, if the run waits until that is done.
  var deliverer = Token.none
  /// The runs that may go on to their ends although a requirement forbids them to be active: they have sent the action after which
  /// its condition did not hold any more.
  @usableFromInline var finishing: [(requirement: Int, run: any AnyOperation, slot: Int32)] = []
  /// Whether a fault cancels runs now.
  var isCancelledByFault = false
  /// Runs that a fault cancels at a suspension.
  var suspensions: [(counter: SuspensionCounter, token: Token, fault: Int)] = []
  @usableFromInline let phase = UncheckedCell(EnginePhase.resting)
  /// Whether the search compares states, so that each effect is named.
  @usableFromInline private(set) var comparesStates = false
  /// The action that is being reduced and the state before, for the names of its effect.
  var reduced: (action: R.Action, state: R.State)?

  @usableFromInline
  init(
    state: R.State, reducer: R, script: ScriptSteps<Action>, properties: ExploredProperties<R.State>,
    mailbox: Mailbox<Action>, in runner: ScheduleRunner, notes: ScheduleNotes? = nil
  ) {
    let clock = runner.clock
    let scheduler = Scheduler(now: { clock.offset }, number: { clock.nextNumber() })
    let engine = Engine(state: state, reducer: reducer, scheduler: scheduler, pace: .stepwise, phase: phase)
    (self.engine, self.script, self.properties) = (engine, script, properties)
    self.mailbox = mailbox
    self.runner = runner
    super.init(executor: runner.executor, clock: clock)
    Reporter.keepFailures(ofRunsOf: mailbox.identity)
    mailbox.attach(keeping: runner.executor)
    self.engine.carried = mailbox.carried
    isTraced = runner.isTraced
    self.notes = notes
    if let notes { AnsweredCalls.add(notes, for: mailbox.identity) }
    hasFaults = !runner.settings.faults.isEmpty
    if isTraced {
      mailbox.tellsSleeps()
      self.engine.trace(true)
    }
    adoptLevel()
    if let eventually = properties.eventually { hasEventuallyHeld = eventually(state) }
    checksEnd = properties.checksEnd
  }

  deinit {
    for message in mailbox.close() + batch[position...] { message.storeIsGone() }
    Reporter.stopKeepingFailures(ofRunsOf: mailbox.identity)
    if notes != nil { AnsweredCalls.removeListener(of: mailbox.identity) }
    phase.free()
  }

  /// Reuses the store of the schedule before, of which nothing is active: making a new one takes longer than all the
  /// rest. Returns its script, which is empty.
  @inlinable
  func reset(state: R.State, reducer: R, properties: ExploredProperties<R.State>) -> ScriptSteps<Action> {
    adoptLevel()
    engine.state = state
    engine.reducer = reducer
    self.properties = properties
    // Reuses the script, unless the test has kept the `Exploration.Script` that writes to it.
    if isKnownUniquelyReferenced(&script) { script.wipe() } else { script = ScriptSteps() }
    violation = nil
    if hasFaults { forgetFaults() }
    hasEventuallyHeld = properties.eventually?(state) ?? true
    checksEnd = properties.checksEnd
    engine.stackCounter.reset()
    isEnding = false
    startCount = 0
    observesEnds = false
    if keepsReturned { forgetReturned() }
    empty(&absorbed)
    empty(&senders)
    if !finishing.isEmpty { finishing = [] }
    if !overlaps.isEmpty { overlaps.removeAll(keepingCapacity: true) }
    return script
  }

  /// The search may have climbed since the schedule before.
  @usableFromInline
  func adoptLevel() {
    let (level, comparesStates) = (runner.mode.level, runner.histories.isOn)
    guard engine.inspect == nil || level.isEager != isEager || comparesStates != self.comparesStates else { return }
    (isEager, self.comparesStates) = (level.isEager, comparesStates)
    // As in a store: what is sent on its isolation is reduced at once, and what comes from elsewhere has waited (rule M3).
    engine.isLate = !isEager
    engine.inspect =
      isEager && !comparesStates
      ? nil
      : { [unowned self] effect in
        if !isEager { noteOverlaps(of: effect) }
        if comparesStates { name(effect) }
      }
  }

  @inlinable var state: R.State { _read { yield engine.state } }

  // MARK: - Taking steps

  @inlinable
  func postNext(_ index: Int) {
    switch script.step(index) {
    case .send(let action, _):
      guard script.isPossible(index, in: state) else { return }
      let receipt = mailbox.post(action)
      if receipt.mustSchedule { executor.noteMail() }
      if mailbox.carried != nil { script.carry(for: index, to: receipt.number) }
      if receipt.number > 0 { script.notePost(of: index) }
      if script.senders != nil { posted(receipt.number, by: index) }
    // A message, so that it keeps its position after what was sent before.
    case .cancel(let ids): mailbox.post(.order(.cancel(ids)))
    case .advance: advance(index)
    case .order(let order): perform(order, of: index)
    }
  }

  @inlinable
  func takeNext() {
    position += 1
    switch batch[position - 1] {
    case .action(let action):
      let number = engine.taken + 1
      announce(action, isRefusing: mailbox.isCancelled(number), site: isTraced ? script.site(of: number) : nil)
      reduceTurn()
    case .sent(let action, let token):
      if hasFaults { duplicate(action, sentBy: token) }
      sender = token
      senders.append(token)
      announce(action, sentBy: token)
      if !engine.isHolding { dropped(action, token) } else { reduceTurn() }
      sender = .none
    case .ended(let token, let error):
      ended(token, error)
    default:
      takeOther(batch[position - 1])
    }
  }

  /// Takes the messages whose outcome does not depend on when they are taken. Returns whether a message waits then.
  ///
  /// An end that is not taken is set aside. Its closure has returned, and its thread may take any time from there to
  /// the mailbox. So the end comes after all that was posted before it, and before or after what is posted later. With
  /// messages that are taken at once, the thread takes no time.
  @inlinable
  func absorbMail() -> Bool {
    defer { hasAlarms = scheduler.hasAlarms }
    // Before the end of the run is taken: what the run does afterwards follows from its failure.
    if Reporter.hasFailuresOfRuns { failWithFailuresOfRuns() }
    if !isEager { absorbMailOfCancelled() }
    while hasMail {
      switch batch[position] {
      case .ended(let token, let error):
        if isEager { break }
        guard visibilityOfEnd(of: token, error) == .none else {
          position += 1
          ends.append((token, error))
          endCount = ends.count
          continue
        }
        absorbed.append(token)
      // What it waits for settles no earlier if the watch is taken later.
      case .order(.slept), .order(.watch): break
      default: return true
      }
      takeNext()
    }
    if isShutDown { rest() }
    return false
  }

  /// For which events it matters when an end is taken.
  @inlinable
  func visibilityOfEnd(of token: Token, _ error: (any Error)?) -> EndVisibility {
    if observesEnds { return .toAll }
    let hasError = error.flatMap { scheduler.failure($0, of: token) } != nil
    let visibility = scheduler.visibilityOfEnd(of: token, hasError: hasError)
    // What a deadline causes is a turn as well.
    return visibility == .toTurns && scheduler.hasAlarms ? .toAll : visibility
  }

  /// Takes an end that was set aside.
  @inlinable
  func takeEnd(_ index: Int) {
    let (token, error) = ends.remove(at: index)
    endCount = ends.count
    ended(token, error)
  }

  // MARK: - Reducing

  /// Continues the open turn to its end.
  @inlinable
  func reduceTurn() {
    var count = 0
    while engine.isTurnOpen {
      let isReduction = engine.isHolding
      if isReduction, comparesStates { beginReduction() }
      if isTraced, isReduction { continueNoted() } else { handle(.continueTurn) }
      guard isReduction else { continue }
      if let always = properties.always, !always(engine.state) { failAlways() }
      if !hasEventuallyHeld || properties.hasRequirements { lookCloser() }
      count += 1
      if count > TestLimits.exploredActions { failEndless() }
    }
  }

  @inlinable
  func ended(_ token: Token, _ error: (any Error)?) {
    if comparesStates { noteEnd(of: token, error) }
    returned(token)
    handle(.ended(token, error))
    finishTurn()
  }

  /// What an end or a deadline causes is a turn of its own.
  @inlinable
  func finishTurn() {
    reduceTurn()
    // A run that ends without sending anything may leave a flag set in the state as well.
    if properties.hasRequirements { lookCloser() }
  }

  // MARK: - Performing

  @inlinable
  func start(_ body: RunBody<Action>, of operation: Effect<Action>.Operation) {
    if isTraced { noteStart(of: body.token) }
    let isCatch = scheduler.isRecovering(body.token)
    let task = hasFaults && !isCatch ? spawnFaulty(body, operation) : spawn(body, operation)
    // The run, also where its `catch` is executed, or something around it.
    start(task, body, body.token, scheduler.operation(of: body.token) ?? operation, isCatch: isCatch)
    if comparesStates { noteStart(task, body.token) }
    if properties.hasRequirements { noteStart(of: operation.id) }
  }

  /// Notes overlaps, because ``absorbMail()`` relies on this: all work of an id declares the same overlap.
  @inlinable
  func noteOverlaps(of effect: Effect<Action>) {
    switch effect {
    case .none, .send, .cancel: break
    case .run(let operation): if let id = operation.id { noteOverlap(operation.overlap, of: id) }
    case .merge, .concatenate, .cancellable: noteOverlaps(within: effect)
    }
  }

  @inlinable
  func spawn(_ body: RunBody<Action>, _ operation: Effect<Action>.Operation) -> Task<Void, Never> {
    if hasStops, let own = stoppingExecutor(of: operation) { return spawn(body, on: own) }
    // Detached: a run inherits no task-locals (rule L6).
    return Task.detached(executorPreference: executor, priority: body.priority) { [executor] in
      guard body.beginInTaskOfShell() else { return body.neverCalled() }
      await executor.marking { await body() }
    }
  }

  // MARK: - For the runner

  /// Ends everything. Returns whether no work is left.
  @inlinable
  func tearDown() -> Bool {
    if Reporter.hasFailuresOfRuns { reportFailuresOfRuns() }
    return live.isEmpty && !hasMail && executor.readyCount == 0 && scheduler.isPristine || end()
  }

  /// Whether the next schedule may use this store, when everything has ended: not if a window of time is open.
  @inlinable
  var isReusable: Bool { scheduler.isPristine }

  /// The operations of this store.
  @inlinable
  var operations: ScheduleRunner.Operations {
    ScheduleRunner.Operations(
      post: { self.postNext($0) }, take: { self.takeNext() }, takeEnd: { self.takeEnd($0) },
      absorb: { self.absorbMail() }, fireAlarm: { self.fireAlarm() }, cutShutdown: { self.cutShutdown($0) },
      cancelSuspended: { self.cancelSuspended() }, tearDown: { self.tearDown() },
      nextAlarm: { self.nextAlarm }, isQuiet: { self.isQuiet(end: $0) },
      checkEnd: { self.checkEnd() }, checkAnswers: { self.checkAnswers() }, unexplained: { self.unexplained },
      waitingSenders: { self.waitingSenders },
      holdsEnd: { self.holdsEnd(of: $0) }, fingerprint: { self.fingerprint() },
      isForgotten: { self.isForgotten($0) }, canBeForgotten: { self.canBeForgotten($0) },
      hasReduced: { self.engine.taken > 0 }, events: { self.events }, stateText: { self.stateText },
      test: { self.test(violating: $0) })
  }

  @usableFromInline var nextAlarm: Alarm? { scheduler.nextAlarm }
  @usableFromInline var events: [TraceEvent<any Sendable>] { log.events }
  @usableFromInline var stateText: String { ValueText.of(state, limit: Explorer.Played.stateLimit) }

  @inlinable
  func isQuiet(end index: Int) -> Bool {
    visibilityOfEnd(of: ends[index].token, ends[index].error) != .toAll
  }
}
