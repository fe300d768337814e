// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// Code that only few steps need.
extension ExploredStore {
  /// The script lets time pass. What is due until then has fired before.
  @usableFromInline
  func advance(_ step: Int) {
    clock.move(to: script.target(of: step))
    handle(.timePassed)
  }

  @usableFromInline
  func takeOther(_ message: Message<Action>) {
    switch message {
    case .order(.delivered(let action, let token, let waiter)):
      notes?.stop("a run waits until its action is reduced")
      if hasFaults { duplicate(action, sentBy: token) }
      deliverer = token
      defer { deliverer = .none }
      runner.histories.delivers(action, token)
      handle(.delivered(action, by: token, waiter))
      runner.histories.delivered(token, wasReduced: engine.isHolding)
      if !engine.isHolding { dropped(action, token) } else { reduceTurn() }
    case .order(.cancel(let ids)):
      if runner.evidence.scriptCancels[ids] != true {
        runner.evidence.scriptCancels[ids] = !scheduler.effects(.ids(ids)).isEmpty
      }
      handle(.cancel(ids))
      finishTurn()
    case .cancelDispatch(let number):
      mailbox.forgetCancelled(number)
      handle(.senderCancelled(number))
      finishTurn()
    case .order(.late(let action, let token, let run, let waiter)):
      notes?.stop("a closure sends after it has returned")
      handle(.late(action, by: token, run, waiter))
      if !engine.isHolding { dropped(action, token) } else { reduceTurn() }
    case .order(let input):
      handle(input)
      switch input {
      case .slept, .watch: break
      default: finishTurn()
      }
    default:
      fatalError("ExploredStore: \(message) in the mailbox of an explored store; bug in EffectTesting, please report")
    }
  }

  /// An action was dropped: its run was cancelled, was replaced or has ended.
  @usableFromInline
  func dropped(_ action: Action, _ token: Token) {
    if absorbed.contains(token) {
      runner.noteGap(FailureText.sharedSend)
    }
    if properties.forbidsDrops {
      let sender = live.first { $0.token == token }.map { " of \($0.name)" } ?? ""
      fail(Violation(label: "nothingDropped", detail: "`\(ValueText.of(action, limit: 120))`\(sender)"))
    }
  }

  /// A run threw and has no `catch`, or the reducer has made a mistake.
  @usableFromInline
  func report(_ failure: EffectFailure) {
    if runner.settings.allowsMisuse, failure.error is SelfCancellation || failure.error is OverlapConflict { return }
    if var text = FailureText.misuse(failure) {
      if failure.kind == .missingChild { text += FailureText.scriptOfMissingChild }
      return fail(Violation(label: ValueText.name(of: failure.error), text: text))
    }
    fail(Violation(label: "uncaught error", text: FailureText.failure(failure)))
  }

  /// Fails the schedule if a run has reported a failure, for example a mock that must not be called.
  @usableFromInline
  func failWithFailuresOfRuns() {
    for failure in Reporter.takeFailures(ofRunsOf: mailbox.identity) {
      fail(Violation(label: "failure in a run", text: failure.text + origin(of: failure.run)))
    }
  }

  /// The schedule has ended. If it has failed, that is what the test shows.
  @usableFromInline
  func reportFailuresOfRuns() {
    if hasFailed { _ = Reporter.takeFailures(ofRunsOf: mailbox.identity) } else { reportKeptFailures() }
  }

  @usableFromInline
  func dropped(followUp action: Action) {}

  @usableFromInline
  func missed(_ cancel: UnmatchedCancel) {}

  /// A run was started. A requirement may need that.
  @usableFromInline
  func noteStart(of id: EffectID?) {
    if !runner.evidence.tested.left.isEmpty { runner.evidence.tested.started(id) }
  }

  @usableFromInline
  func failAlways() {
    notes?.noteViolation()
    fail(Violation(label: "always"))
  }

  @usableFromInline
  func failEndless() {
    fail(Violation(label: "endless turn"))
    handle(.dropTurn)
  }

  @usableFromInline
  func lookCloser() {
    if !hasEventuallyHeld, let eventually = properties.eventually { hasEventuallyHeld = eventually(state) }
    if !properties.sometimes.isEmpty { runner.evidence.sometimes.check(properties.sometimes, in: state) }
    for (number, requirement) in properties.requirements.enumerated() {
      guard case .isRunning(let id, let isExact, let condition) = requirement.kind else { continue }
      let holds = condition(state)
      if holds {
        if !runner.evidence.tested.left.isEmpty { runner.evidence.tested.held(number, of: id, isExact: isExact) }
        if isExact { finishing.removeAll { $0.requirement == number } }
      } else if !isExact {
        continue
      }
      let isRunning = scheduler.isRunning(id)
      if holds == isRunning || isRunning && mayFinish(id, number) { continue }
      let name = FailureText.isRunning(id, isExact: isExact)
      fail(Violation(label: isRunning ? "not \(name)" : name, text: FailureText.wrong(name, id, isRunning: isRunning)))
    }
  }

  /// Whether a run that is active while its condition does not hold may go on: it has ended the condition by an action of its own,
  /// which may be its last one, and has not returned. The same is true of its `catch` and of its next attempt. Nothing else of the
  /// id may be active.
  private func mayFinish(_ id: EffectID, _ requirement: Int) -> Bool {
    if !finishing.contains(where: { $0.requirement == requirement }),
      let run = live.first(where: { $0.token == acting })
    {
      finishing.append((requirement, run.operation, run.token.slot))
    }
    guard let (_, run, slot) = finishing.first(where: { $0.requirement == requirement }),
      scheduler.status(of: id).running == 1
    else { return false }
    // The work of an id may also be a tree, with runs of other ids in it.
    let active = live.filter { !scheduler.isCancelling($0.token) && ($0.run.id == id || $0.operation === run) }
    // Between two attempts no closure of the run executes.
    if active.isEmpty { return scheduler.postponed.contains { $0.token.slot == slot } }
    return active.allSatisfy { $0.operation === run }
  }

  /// The run whose action is being handled.
  private var acting: Token { sender == .none ? deliverer : sender }

  /// Without the runs that wait for a mock: no answer comes from outside.
  @usableFromInline
  var unexplained: [LiveRun] {
    let runs = unexpectedNow
    if runs.isEmpty { return [] }
    let awaited = AwaitedAnswers.of(mailbox.identity)
    return awaited.isEmpty ? runs : runs.filter { awaited[$0.token] == nil }
  }

  /// The runs that wait, and that no requirement allows to wait.
  private var unexpectedNow: [LiveRun] {
    if live.isEmpty { return [] }
    var expected: [EffectID] = []
    for requirement in properties.requirements {
      if case .noDeadlock(let ids) = requirement.kind { expected += ids }
    }
    return parked.filter { run in !holdsEnd(of: run.token) && !expected.contains { $0 == run.run.id } }
  }

  @usableFromInline
  func cancel(_ token: Token) {
    for run in live where run.token == token {
      if isTraced, !isEnding, runner.evidence.isPlain { runner.schedule.trail.add(run.title, "is cancelled") }
      // A store may be about to call the closure, which is then cancelled from the start. Otherwise it never calls it.
      if !isEnding, run.body.isWaiting, runner.chooseWhetherCalled(isForgotten(token)) {
        runner.histories.cancelled(token, isCalled: false)
        run.body.cancel()
        // Only the end follows from that, and it may be taken at any time.
        executor.runAtOnce(run.task)
        continue
      }
      runner.histories.cancelled(token, isCalled: true)
      if !isEnding { noteReach(run) }
      // After a cancel it cannot be noticed any more that the run waited for something outside.
      if !executor.isReady(run.task) { noteCancel(ofWaiting: run) }
      executor.cancel(run.task)
    }
  }

  /// A run is to be cancelled that waits: for the clock, for other runs or for something outside.
  private func noteCancel(ofWaiting run: LiveRun) {
    guard !runner.mode.isProbe, !holdsEnd(of: run.token) else { return }
    guard unexplained.contains(where: { $0.token == run.token }) else { return }
    runner.schedule.noteCancel(ofWaiting: run)
  }

  /// A run is cancelled. If it has sent an action, the cancel might come right after that, before the next line of its closure.
  /// If the closure has returned, there was no line that others can observe; but its own action cancels it at once, maybe in
  /// the middle of a scope.
  private func noteReach(_ run: LiveRun) {
    if !runner.evidence.tested.left.isEmpty, !holdsEnd(of: run.token) { runner.evidence.tested.cancelled() }
    guard !isCancelledByFault, senders.contains(run.token) || hasSent(run.token) else { return }
    if sender == run.token || !holdsEnd(of: run.token) { runner.noteReach(of: run) }
  }

  /// Whether an action of the run waits to be taken.
  private func hasSent(_ token: Token) -> Bool {
    batch[position...].contains { $0.isAction(of: token) } || mailbox.holdsAction(of: token)
  }

  /// Whether a closure has returned whose end has not been taken yet.
  @usableFromInline
  func holdsEnd(of token: Token) -> Bool {
    ends.contains { $0.token == token } || batch[position...].contains { $0.isEnd(of: token) }
      || mailbox.holdsEnd(of: token)
  }

  /// Whether the jobs of a run must be able to stop before they post a message. Only at the level `steps` they do.
  func stops(_ operation: Effect<Action>.Operation) -> Bool {
    hasStops && (runner.knowledge.stoppingLines.contains(operation.site.line) || isReached(operation))
  }

  /// Whether they stop after a message as well.
  func isReached(_ operation: Effect<Action>.Operation) -> Bool {
    hasStops && runner.reachedBefore.contains(operation.site.line)
  }

  /// The executor of such a run; `nil` for other runs.
  @usableFromInline
  func stoppingExecutor(of operation: Effect<Action>.Operation) -> SuspensionCounter? {
    guard stops(operation) else { return nil }
    return SuspensionCounter(executor, stops: true, isReached: isReached(operation))
  }

  @usableFromInline
  func spawn(_ body: RunBody<Action>, on own: SuspensionCounter) -> Task<Void, Never> {
    Task.detached(executorPreference: own, priority: body.priority) { [executor] in
      guard body.beginInTaskOfShell() else { return body.neverCalled() }
      await executor.marking { await body() }
    }
  }

  @usableFromInline
  func forgetReturned() {
    keepsReturned = false
    returnedRuns = []
  }

  /// Notes the overlaps of all runs and trees in an effect, including those that start later or never.
  @usableFromInline
  func noteOverlaps(within effect: Effect<Action>) {
    var pending = [effect]
    while let next = pending.popLast() {
      switch next {
      case .none, .send, .cancel, .run: noteOverlaps(of: next)
      case .merge(let parts), .concatenate(let parts): pending.append(contentsOf: parts)
      case .cancellable(let tree):
        noteOverlap(tree.overlap, of: tree.id)
        pending.append(tree.content)
      }
    }
  }

  /// If overlaps of one id differ, it may have made a difference that ends were taken at once.
  @usableFromInline
  func noteOverlap(_ overlap: Overlap, of id: EffectID) {
    guard let known = overlaps.first(where: { $0.id == id }) else {
      return overlaps.append((id, overlap))
    }
    if known.overlap != overlap { runner.noteGap("the ends of runs of \(id), \(FailureText.differingOverlaps)") }
  }

  /// Nothing can happen any more: fails if a run waits for an answer of a mock. No code can give it.
  @usableFromInline
  func checkAnswers() {
    let awaited = AwaitedAnswers.of(mailbox.identity)
    guard !awaited.isEmpty, let run = unexpectedNow.first(where: { awaited[$0.token] != nil }) else { return }
    fail(Violation(label: "unanswered call", text: FailureText.unanswered(run.name, awaited[run.token]?.answer)))
  }

  /// Nothing can happen any more: checks what must hold at the end.
  @usableFromInline
  func checkEnd() {
    if let finally = properties.finally, !finally(state) { fail(Violation(label: "finally")) }
    if !hasEventuallyHeld { fail(Violation(label: "eventually")) }
    for requirement in properties.requirements {
      switch requirement.kind {
      case .nothingRuns:
        let runs = live.filter { !scheduler.isCancelling($0.token) }.map(\.name)
        if let first = runs.first ?? executor.leftTasks(hasRuns: !live.isEmpty).first {
          fail(Violation(label: "nothingRunsAtTheEnd", detail: first))
        }
      case .cancellationIsHeeded:
        if let first = live.first(where: { scheduler.isCancelling($0.token) }) {
          fail(Violation(label: "cancellationIsHeeded", detail: first.name))
        }
      case .noDeadlock where runner.evidence.isPlain:
        let waiting = unexplained.map { "\($0.title) at \($0.operation.site)" }
        // Where work has left, what waits may still come back. Then the result is not complete, and says so.
        if !waiting.isEmpty, !runner.evidence.hasLeft {
          fail(Violation(label: "wait", text: FailureText.waitingRuns(waiting)))
        }
      case .noDeadlock:
        let runs = unexplained.map(\.name)
        let waiting = runs + waitingSenders
        if !waiting.isEmpty {
          fail(Violation(label: "noDeadlock", text: FailureText.deadlock(waiting, hasRuns: !runs.isEmpty)))
        }
      case .tasksEnd:
        if let first = executor.leftTasks(hasRuns: !live.isEmpty).first, !runner.evidence.hasLeft {
          fail(Violation(label: "tasks", text: FailureText.leftTask(first)))
        }
      case .nothingDropped, .isRunning:
        break
      }
    }
  }

  /// A deadline of the scheduler fires.
  @usableFromInline
  func fireAlarm() {
    guard let alarm = scheduler.nextAlarm else { return }
    clock.move(to: alarm.deadline)
    handle(.deadline)
    finishTurn()
  }

  /// Ends everything, without reducing anything. Returns `false` if a closure does not return.
  @usableFromInline
  func end() -> Bool {
    isEnding = true
    isTraced = false
    engine.trace(false)
    if !scheduler.isIdle { handle(.cancelEverything) }
    while true {
      handle(.dropTurn)
      var hasJobs = false
      if executor.readyCount > 0 {
        hasJobs = true
        guard executor.drain() else { break }
      }
      var hasEnds = false
      while endCount > 0 {
        hasEnds = true
        endCount -= 1
        let (token, _) = ends.removeLast()
        returned(token)
        handle(.ended(token, nil))
        handle(.dropTurn)
      }
      while hasMail {
        hasEnds = true
        position += 1
        if case .ended(let token, _) = batch[position - 1] {
          returned(token)
          handle(.ended(token, nil))
          handle(.dropTurn)
        } else {
          batch[position - 1].storeIsGone()
        }
      }
      if !hasJobs, !hasEnds { break }
    }
    return live.isEmpty
  }
}
