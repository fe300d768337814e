// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// What fails a schedule: its properties and requirements, and mistakes that it shows.
extension ExploredStore {
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

  @usableFromInline
  func dropped(followUp action: Action) {}

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
}
