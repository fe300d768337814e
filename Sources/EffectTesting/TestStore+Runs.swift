// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// MARK: - Performing

extension TestStore {
  /// Does what the interpreter asked for, from left to right.
  func perform() {
    var commands: [Command] = []
    swap(&commands, &interpreter.commands)
    for command in commands {
      switch command {
      case .start(let token):
        start(token, thrown: nil)
      case .recover(let token, let error):
        start(token, thrown: error)
      case .cancel(let token):
        running[token.slot]?.task.cancel()
      case .report(let failure):
        report(FailureText.failure(failure), at: location)
      case .resume(let waiter):
        waiter.answer(true)
      }
    }
    var garbage: [Released] = []
    interpreter.takeReleased(into: &garbage)
  }

  private func start(_ token: Token, thrown: (any Error)?) {
    guard let operation = interpreter.started(token) else { return }
    let body = RunBody(operation, token: token, thrown: thrown, mailbox: mailbox)
    // Not detached: inside a mock, an `#expect` must belong to the test whose run called it.
    let task = Task(executorPreference: executor, priority: body.priority) { await body() }
    started += 1
    running[token.slot] = RunningTask(task: task, run: EffectRun(operation), token: token, number: started)
  }

  func cancelAll() {
    interpreter.cancelEverything()
    perform()
    executor.drain()
  }
}

// MARK: - What is in flight

extension TestStore {
  /// The runs whose closures have not returned, in the order they started, and what each one waits for.
  var inFlight: InFlight {
    let asleep = asleepUntil
    let returned = returnedBehindHeld
    let runs = running.values.filter { !returned.contains($0.token) }.sorted { $0.number < $1.number }
      .map { running in
        InFlight.Run(
          run: running.run, wakes: asleep[running.token], missed: running.missed,
          isCancelled: interpreter.isCancelling(running.token))
      }
    let strangers = clock.sleepers.filter { $0.run == nil }.map(\.deadline)
    return InFlight(runs: runs, strangers: strangers, now: clock.now)
  }

  /// Whether a run is suspended where neither the test's clock nor its executor can wake it.
  var isAnyParked: Bool {
    if running.isEmpty { return false }
    let asleep = asleepUntil
    return running.values.contains { asleep[$0.token] == nil }
  }

  /// Remembers for failure texts who does not see time move.
  func noteParked() {
    if running.isEmpty { return }
    let asleep = asleepUntil
    for (slot, run) in running where asleep[run.token] == nil { running[slot]?.missed = clock.now.offset }
  }

  /// Runs that are over, except that their ends wait behind the action that is held.
  private var returnedBehindHeld: Set<Token> {
    if held == nil { return [] }
    var more: [Message<R.Action>] = []
    if mailbox.take(into: &more) { batch += more }
    return Set(batch[position...].compactMap { if case .ended(let token, _) = $0 { token } else { nil } })
  }

  private var asleepUntil: [Token: TestClock.Instant] {
    Dictionary(
      clock.sleepers.compactMap { sleeper in sleeper.run.map { ($0, sleeper.deadline) } }, uniquingKeysWith: min)
  }
}

/// Everything that has not ended, for failure texts.
struct InFlight {
  let runs: [Run]
  /// When sleepers wake that belong to no run, such as detached tasks.
  let strangers: [TestClock.Instant]
  let now: TestClock.Instant

  var isEmpty: Bool { runs.isEmpty }

  /// A run whose closure has not returned.
  struct Run {
    let run: EffectRun
    /// When it wakes, if it sleeps on the test's clock.
    let wakes: TestClock.Instant?
    /// When time last moved on while it was suspended outside.
    let missed: Duration?
    let isCancelled: Bool
  }

  func only(_ isIncluded: (Run) -> Bool) -> InFlight {
    InFlight(runs: runs.filter(isIncluded), strangers: strangers, now: now)
  }
}
