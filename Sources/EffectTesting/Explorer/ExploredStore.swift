// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The third shell around the one `Interpreter`: takes a step when it is told to, and never by itself.
///
/// The steps that every schedule has are inlinable and end up in closures that are made where the reducer is known, as in
/// a `Store`: a hundred thousand schedules a second leave ten microseconds for each.
@usableFromInline
final class ExploredStore<R: Reducer>: ExploredFeature {
  @usableFromInline typealias Action = R.Action

  @usableFromInline let core: UncheckedCell<ExploredCore<R>>
  /// Whether messages and ends are taken at once.
  @usableFromInline let isEager: Bool
  @usableFromInline let mailbox: Mailbox<Action>
  unowned let world: World
  /// The run whose next action comes twice.
  @usableFromInline var duplicated = Token.none
  /// The number of the fault that does it.
  var duplication = 0
  /// Runs that are to be cancelled at a suspension.
  var suspensions: [(counter: SuspensionCounter, token: Token, fault: Int)] = []
  /// Where the action of the turn at hand comes from, and the number of its reduction with what caused it; for a trace.
  @usableFromInline var accepted = TraceSource.followUp
  @usableFromInline var reducing: (number: UInt64, cause: UInt64?) = (0, nil)

  @usableFromInline
  init(
    state: R.State, reducer: R, script: ScriptSteps<Action>, properties: ExploredProperties<R.State>,
    mailbox: Mailbox<Action>, in world: World
  ) {
    let clock = world.clock
    let interpreter = Interpreter<Action>(now: { clock.offset }, number: { clock.nextNumber() })
    // SAFETY: nobody else has them from here on; what a test still shares with a state, it shares on one thread.
    nonisolated(unsafe) let value = ExploredCore(
      state: state, reducer: reducer, interpreter: interpreter, script: script, properties: properties)
    core = unsafe UncheckedCell(value)
    self.mailbox = mailbox
    self.world = world
    isEager = world.settings.isEager
    super.init(executor: world.executor, clock: clock)
    mailbox.attach(keeping: world.executor)
    isTraced = world.isTraced
    hasFaults = !world.settings.faults.isEmpty
    if isTraced {
      mailbox.tellsSleeps()
      self.interpreter.isTraced = true
    }
    if let eventually = properties.eventually { hasEventuallyHeld = eventually(state) }
    checksEnd = properties.checksEnd
  }

  deinit { core.free() }

  /// Takes the place of the store of the schedule before, which has left nothing behind: to make it anew takes longer than
  /// all the rest. Answers with its script, which is blank.
  @inlinable
  func reset(state: R.State, reducer: R, properties: ExploredProperties<R.State>) -> ScriptSteps<Action> {
    self.state = state
    self.reducer = reducer
    self.properties = properties
    // Unless the test has kept the `Exploration.Script` that writes to it.
    if isKnownUniquelyReferenced(&core.value.script) { script.wipe() } else { script = ScriptSteps() }
    breach = nil
    if hasFaults { forgetFaults() }
    hasEventuallyHeld = properties.eventually?(state) ?? true
    checksEnd = properties.checksEnd
    isEnding = false
    empty(&core.value.absorbed)
    if !core.value.overlaps.isEmpty { core.value.overlaps.removeAll(keepingCapacity: true) }
    return script
  }

  // MARK: - Taking steps

  @inlinable
  func postNext(_ index: Int) {
    switch unsafe script.steps[index] {
    case .send(let action, _):
      unsafe script.posted.append(index)
      if mailbox.post(action).mustSchedule { executor.noteMail() }
    // A message that means nothing else here; it keeps its place behind what was sent before.
    case .cancel: mailbox.post(.timeCame(UInt64(index)))
    case .advance: advance()
    }
  }

  @inlinable
  func takeNext() {
    position += 1
    switch batch[position - 1] {
    case .action(let action):
      taken += 1
      interpreter.beginTurn(dispatch: taken)
      reduceTurn(action, sentBy: .none)
    case .sent(let action, let token):
      if hasFaults { duplicate(action, sentBy: token) }
      guard interpreter.beginTurn(sentBy: token) else { return dropped(action, token) }
      reduceTurn(action, sentBy: token)
    case .ended(let token, let error):
      ended(token, error)
    default:
      takeOther(batch[position - 1])
    }
  }

  /// Takes what nobody could take at another moment with another outcome; whether a message waits then.
  ///
  /// An end that is not taken is set aside. Its closure has returned, and the thread may take any time from there to the
  /// mailbox: so the end comes behind all that was posted before it, and before or behind what is posted after. With
  /// eager delivery that time is none.
  @inlinable
  func absorbMail() -> Bool {
    defer { hasAlarms = interpreter.hasAlarms }
    while hasMail {
      switch batch[position] {
      case .ended(let token, let error):
        if isEager { break }
        guard visibilityOfEnd(of: token, hasError: error != nil) == .none else {
          position += 1
          ends.append((token, error))
          endCount = ends.count
          continue
        }
        core.value.absorbed.append(token)
      case .slept: break
      default: return true
      }
      takeNext()
    }
    return false
  }

  /// With deadlines to come an end may be taken before or behind one.
  @inlinable
  func visibilityOfEnd(of token: Token, hasError: Bool) -> EndVisibility {
    interpreter.hasAlarms ? .toAll : interpreter.visibilityOfEnd(of: token, hasError: hasError)
  }

  /// Takes an end that was set aside.
  @inlinable
  func takeEnd(_ index: Int) {
    let (token, error) = ends.remove(at: index)
    endCount = ends.count
    ended(token, error)
  }

  @inlinable
  var hasMail: Bool {
    if position < batch.count { return true }
    guard executor.takeNoteOfMail() else { return false }
    empty(&core.value.batch)
    position = 0
    return mailbox.takeAll(into: &batch)
  }

  // MARK: - Reducing

  @inlinable
  func reduceTurn(_ first: Action, sentBy token: Token, isFollowUp: Bool = false) {
    var action = first
    var count = 0
    if isTraced, !isFollowUp { tellAccepted(first, token) }
    while true {
      if isTraced { tellReducing() }
      let effect = reducer.reduce(into: &state, action: action)
      if isTraced { tellReduced(action, isFirst: count == 0 && !isFollowUp) }
      if !isEager { noteOverlaps(of: effect) }
      interpreter.reduced(effect)
      if interpreter.hasOutput || isTraced { perform() }
      if let always = properties.always, !always(state) { failAlways() }
      if !hasEventuallyHeld || properties.hasRequirements { lookCloser() }
      count += 1
      if count > 1_000 {
        failEndless()
        break
      }
      guard let next = interpreter.nextFollowUp() else { break }
      action = next
    }
    interpreter.endTurn()
    if interpreter.hasOutput { perform() }
  }

  @inlinable
  func ended(_ token: Token, _ error: (any Error)?) {
    var mayRetry = false
    if let error, let condition = interpreter.retryCondition(of: token) { mayRetry = condition(error) }
    returned(token)
    if isTraced { interpreter.traceCause = nil }
    interpreter.ended(token, error: error, mayRetry: mayRetry)
    finishTurn()
  }

  /// What an end or a deadline has brought about is a turn of its own.
  @inlinable
  func finishTurn() {
    if interpreter.hasOutput || isTraced { perform() }
    if interpreter.isTurnOpen {
      if let action = interpreter.nextFollowUp() {
        reduceTurn(action, sentBy: .none, isFollowUp: true)
      } else {
        interpreter.endTurn()
        if interpreter.hasOutput { perform() }
      }
    }
    // A run that ends without a word leaves a flag behind as well.
    if properties.hasRequirements { lookCloser() }
  }

  // MARK: - Performing

  @inlinable
  func perform() {
    var commands: [Command] = []
    swap(&commands, &core.value.commands)
    swap(&commands, &core.value.interpreter.commands)
    for command in commands {
      switch command {
      case .start(let token): start(token, thrown: nil)
      case .recover(let token, let error): start(token, thrown: error)
      case .cancel(let token): cancel(token)
      case .report(let failure): failed(failure)
      case .resume(let waiter, _): waiter.answer(true)
      case .refuse(let waiter): waiter.answer(false)
      }
    }
    empty(&commands)
    swap(&commands, &core.value.commands)
    var garbage: [Released] = []
    swap(&garbage, &core.value.garbage)
    core.value.interpreter.takeReleased(into: &garbage)
    empty(&garbage)
    swap(&garbage, &core.value.garbage)
    if isTraced { tellNotes() }
  }

  @inlinable
  func empty<Element>(_ array: inout [Element]) {
    // Nearly always there is one or none, for which `removeAll` takes a long way.
    if array.count == 1 { array.removeLast() } else if !array.isEmpty { array.removeAll(keepingCapacity: true) }
  }

  @inlinable
  func start(_ token: Token, thrown: (any Error)?) {
    guard let operation = interpreter.started(token) else { return }
    let body = RunBody(operation, token: token, mailbox: mailbox)
    let task = hasFaults && thrown == nil ? spawnFaulty(body, operation, token) : spawn(body, thrown: thrown)
    start(task, body, token, operation)
  }

  /// Keeps what ``absorbMail()`` relies on: that all work of an id declares one overlap.
  @inlinable
  func noteOverlaps(of effect: Effect<Action>) {
    switch effect {
    case .none, .send, .cancel, .flush: break
    case .run(let operation): if let id = operation.id { noteOverlap(operation.overlap, of: id) }
    case .merge, .concatenate, .cancellable: noteOverlaps(within: effect)
    }
  }

  @inlinable
  func spawn(_ body: RunBody<Action>, thrown: (any Error)?) -> Task<Void, Never> {
    // Not detached: inside a mock, an `#expect` must belong to the test that explores.
    body.task {
      Task(executorPreference: executor, priority: body.priority) {
        guard body.begin() else { return body.neverCalled() }
        if let thrown { await body.recover(from: thrown) } else { await body() }
      }
    }
  }

  // MARK: - For the world

  /// Ends everything. Whether nothing is left, so that the next schedule may go on with this store.
  @inlinable
  func tearDown() -> Bool {
    let isOver = live.isEmpty && !hasMail && executor.readyCount == 0 && interpreter.isPristine
    if !isOver, !end() { return false }
    return interpreter.isPristine
  }

  override var hasReduced: Bool { taken > 0 }
  override var nextAlarm: Alarm? { interpreter.nextAlarm }
  override func fireAlarm() { fire() }
  override func isQuiet(end index: Int) -> Bool {
    visibilityOfEnd(of: ends[index].token, hasError: ends[index].error != nil) != .toAll
  }
  override func cancelSuspended() { cancelSuspendedNow() }
  override func checkEnd() { checkEndNow() }
  @usableFromInline
  override func noteCancel(ofWaiting run: LiveRun) { noteCancelNow(ofWaiting: run) }
  @usableFromInline
  override func isNeverCalled() -> Bool { world.choose(2) == 1 }
  override var unexplained: [LiveRun] { unexplainedNow }
  override var stateText: String { ValueText.of(state, limit: 2_000) }
}
