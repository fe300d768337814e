// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// MARK: - Performing

extension TestStore {
  @inlinable
  func start(_ body: RunBody<R.Action>, of operation: Effect<R.Action>.Operation) {
    // Detached: a run inherits no task-locals (rule L6).
    let task = Task.detached(executorPreference: executor, priority: body.priority) { await body() }
    runs.start(task, body.token, in: turn) { EffectRun(operation) }
  }

  @usableFromInline
  func cancel(_ run: Token) {
    guard let running = runs[run] else { return }
    // If a time limit is the reason, it has been noted before and is kept.
    if running.stop == nil { running.stop = turn.current.map { .effect(of: $0) } ?? stop }
    // Handlers of the cancel are called now, and may make tasks.
    executor.watching { running.task.cancel() }
  }

  @usableFromInline
  func report(_ failure: EffectFailure) {
    // That a run throws may follow from a failure that it has reported. A mistake of the reducer does not.
    if turn.isExcused, FailureText.misuse(failure) == nil { return reportedFailures.hasLostWork = true }
    guard report(FailureText.failure(failure), at: location) else { return }
    if failure.error is MissingChild { reportedFailures.isChildMissing = true }
    if !(failure.error is OverlapConflict || failure.error is SelfCancellation || failure.error is MissingChild) {
      reportedFailures.hasLostWork = true
    }
  }

  /// Reports what runs have reported as failures. What such a run does from now on follows from its failure.
  @usableFromInline
  func reportFailuresOfRuns() {
    for run in reportKeptFailures() {
      reportedFailures.failed()
      runs[run]?.isExcused = true
    }
  }

  @usableFromInline
  func settled(_ waiter: Waiter, _ outcomes: RequestOutcomes?) {
    waiters.settled(waiter)?.settle(.success((engine.state, outcomes ?? RequestOutcomes())))
  }

  func cancelAll(by step: String = "the test store") {
    stop = .step(step)
    defer { stop = .sequence }
    handle(.cancelEverything)
    if engine.isTurnOpen, held == nil { continueTurn() }
    executor.drain()
  }
}

// MARK: - What is in flight

extension TestStore {
  /// The runs whose closures have not returned, in the order they started, and what each one waits for. Behind these the
  /// runs that wait for their time.
  @usableFromInline var inFlight: InFlight {
    let asleep = asleepUntil
    let awaited = awaitedAnswers
    let returned = returnedBehindHeld
    let active = runs.all.filter { !returned.contains($0.token) }.sorted { $0.number < $1.number }
      .map { running in
        InFlight.Run(
          token: running.token, run: running.run, cause: running.cause.map { $0 as Any },
          wakes: asleep[running.token], awaited: awaited[running.token], missed: running.missed,
          isCancelled: scheduler.isCancelling(running.token), isExcused: running.isExcused, postponed: nil)
      }
    let strangers = clock.sleepers.filter { sleeper in
      guard let token = sleeper.run else { return true }
      return runs[token] == nil
    }.map(\.deadline)
    return InFlight(runs: active + postponed, strangers: strangers, now: clock.now)
  }

  /// Whether a run is suspended outside of the test's control: it neither sleeps on the test's clock nor waits for a mock.
  var isAnyParked: Bool { !parked.isEmpty }

  private var parked: [RunningTask] {
    if runs.isEmpty { return [] }
    let asleep = asleepUntil
    let awaited = awaitedAnswers
    return runs.all.filter { asleep[$0.token] == nil && awaited[$0.token] == nil }
  }

  /// Waits in real time until a parked run comes back, sends something or begins to wait for a mock; `false` if none did by
  /// the limit.
  ///
  /// Called in a loop that checks what has happened. `true` means that something may have happened, so the caller checks
  /// again. The first call of a store returns `true` without waiting. It registers for calls of mocks, and a mock may
  /// have been called shortly before, after the caller's last check. Each later call waits, so the loop does not spin.
  func arrival(before limit: ContinuousClock.Instant) async -> Bool {
    // A call of a mock that another thread makes is neither a job nor a message. The flag is set before the registration and
    // is never reset, so this happens once.
    guard isNotifiedOfCalls else {
      isNotifiedOfCalls = true
      AwaitedAnswers.notify(executor, of: mailbox.identity)
      return true
    }
    return await executor.arrival(before: limit)
  }

  /// Answers the calls of mocks whose answers came too early, so that this failure has no consequences. Returns whether
  /// there was one.
  func answerEarlyCalls() -> Bool {
    var isAnswered = false
    for call in awaitedAnswers.values where call.mock.answerEarly(call.number) { isAnswered = true }
    return isAnswered
  }

  /// Notes, for failure texts, which runs are suspended outside of the test's control while the time moves on.
  func noteParked() {
    for run in parked { run.missed = clock.now.offset }
  }

  /// Runs whose closures have returned, but whose ends wait behind the held action.
  private var returnedBehindHeld: Set<Token> {
    if held == nil { return [] }
    takeMailBehindHeld()
    return Set(batch[position...].compactMap { if case .ended(let token, _) = $0 { token } else { nil } })
  }

  /// Takes what is in the mailbox, without handling it.
  func takeMailBehindHeld() {
    var more: [Message<R.Action>] = []
    if mailbox.take(into: &more) { batch += more }
  }

  private var asleepUntil: [Token: TestClock.Instant] { clock.runsAsleep }

  private var awaitedAnswers: [Token: AwaitedAnswers.Call] { AwaitedAnswers.of(mailbox.identity) }
}
