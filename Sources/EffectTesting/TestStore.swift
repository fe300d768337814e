// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Proves what a feature does: every change of its state, every action it receives, and that nothing is left running.
///
/// ```swift
/// @Test func searching() async {
///   let store = TestStore(initialState: .init(), reducer: Search(find: { [$0.uppercased()] }))
///   store.send(.queryChanged("swift")) { $0.query = "swift" }
///   store.advance(by: .milliseconds(300))
///   await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
///   await store.finish()
/// }
/// ```
///
/// Actions of runs, and `.send` effects, are **held** until the test receives them, and reduced only then; a held action
/// holds everything behind it. Time stands still until the test advances it. Runs execute on an executor of the store's
/// own, so a step knows when nothing more can happen instead of waiting for it.
///
/// - Isolation: for one test at a time, in any isolation; not `Sendable`. Any number of tests may run in parallel.
/// - Errors: everything that is not as expected is recorded as a failure of the running test, with Swift Testing and
///   with XCTest alike; the test then goes on.
public final class TestStore<R: Reducer> where R.State: Equatable {
  /// What the feature remembers, after all actions sent and received so far.
  public private(set) var state: R.State
  /// The feature's logic. May be replaced midway; runs that execute keep what they captured.
  public var reducer: R
  /// The store's time.
  public let clock: TestClock
  /// How long, in real time, a step may wait for a run that is suspended outside of the test's control (a socket, the
  /// main actor, a detached task) before it fails.
  public var externalWait = Duration.seconds(10)

  let executor = TestExecutor()
  let mailbox: Mailbox<R.Action>
  let location: TestLocation
  var interpreter = Interpreter<R.Action>()
  /// The task of each run, by its slot.
  private var tasks: [Int32: RunningTask] = [:]
  private var batch: [Message<R.Action>] = []
  private var position = 0
  private var sent: UInt64 = 0
  private var actionsInTurn = 0
  /// The action that must be received next.
  var held: Held<R.Action>?
  /// Where ``advance(by:)`` is heading; reached as soon as nothing is held.
  var target: Duration
  var isFinished = false

  private struct RunningTask {
    let task: Task<Void, Never>
    let run: EffectRun
    let token: Token
  }

  /// Makes a test store.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic, with dependencies fit for a test.
  public init(
    initialState: R.State, reducer: R, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    state = initialState
    self.reducer = reducer
    clock = TestClock()
    target = .zero
    location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    mailbox = Mailbox(time: TimeSource(clock))
    mailbox.attach(executor)
  }

  deinit {
    if !isFinished { reportUnfinished() }
    for running in tasks.values { running.task.cancel() }
    for message in mailbox.close() + batch[position...] { message.storeIsGone() }
    held?.waiter?.answer(false)
    executor.abandon()
  }
}

/// An action that was received and waits for the test to say so.
struct Held<Action: Sendable> {
  let action: Action
  /// The run that sent it; `nil` for a `.send` effect.
  let run: EffectRun?
  let waiter: Waiter?
}

// MARK: - Steps

extension TestStore {
  /// Reduces an action that begins a turn, and interprets what it returned.
  func reduceSent(_ action: R.Action) -> UInt64 {
    sent += 1
    actionsInTurn = 0
    interpreter.beginTurn(dispatch: sent)
    reduce(action)
    return sent
  }

  /// Reduces the held action: the turn it belongs to is open.
  func reduceHeld(_ held: Held<R.Action>) {
    self.held = nil
    reduce(held.action)
    held.waiter?.answer(true)
  }

  private func reduce(_ action: R.Action) {
    actionsInTurn += 1
    let effect = reducer.reduce(into: &state, action: action)
    interpreter.reduced(effect)
    perform()
    if actionsInTurn > TestLimits.followUps, interpreter.hasFollowUps {
      report(FailureText.followUpCycle(action, count: actionsInTurn), at: location)
      // What is left of the turn would go on for ever.
      _ = interpreter.suspendTurn()
    }
  }

  /// Lets everything happen that can happen now, up to the next action that must be received.
  func settleNow() {
    while true {
      executor.drain()
      guard held == nil else { return }
      if interpreter.isTurnOpen {
        if let action = interpreter.nextFollowUp() {
          held = Held(action: action, run: nil, waiter: nil)
        } else {
          interpreter.endTurn()
          perform()
        }
      } else if let message = nextMessage() {
        take(message)
      } else {
        return
      }
    }
  }

  private func nextMessage() -> Message<R.Action>? {
    if position == batch.count {
      batch.removeAll(keepingCapacity: true)
      position = 0
      guard mailbox.take(into: &batch) else { return nil }
    }
    position += 1
    return batch[position - 1]
  }

  private func take(_ message: Message<R.Action>) {
    switch message {
    case .sent(let action, let token):
      hold(action, sentBy: token, nil)
    case .delivered(let action, let token, let waiter):
      hold(action, sentBy: token, waiter)
    case .ended(let token, let error):
      tasks[token.slot] = nil
      interpreter.ended(token, error: error)
      perform()
    case .action, .watch, .cancelDispatch, .resumeTurn, .observe:
      fatalError("TestStore: \(message) in the mailbox of a test store; bug in EffectTesting, please report")
    }
  }

  private func hold(_ action: R.Action, sentBy token: Token, _ waiter: Waiter?) {
    let run = interpreter.description(of: token)
    actionsInTurn = 0
    if interpreter.beginTurn(sentBy: token) {
      held = Held(action: action, run: run, waiter: waiter)
    } else {
      waiter?.answer(false)
    }
  }

  // MARK: - Performing

  func perform() {
    var commands: [Interpreter<R.Action>.Command] = []
    swap(&commands, &interpreter.commands)
    for command in commands {
      switch command {
      case .start(let token):
        start(token, thrown: nil)
      case .recover(let token, let error):
        start(token, thrown: error)
      case .cancel(let token):
        tasks[token.slot]?.task.cancel()
      case .report(let failure):
        report(FailureText.uncaught(failure), at: location)
      case .resume(let waiter):
        waiter.answer(true)
      }
    }
    var garbage: [Interpreter<R.Action>.Released] = []
    interpreter.takeReleased(into: &garbage)
  }

  private func start(_ token: Token, thrown: (any Error)?) {
    guard let operation = interpreter.started(token) else { return }
    let body = RunBody(operation, token: token, thrown: thrown, mailbox: mailbox)
    // Not detached: inside a mock, an `#expect` must belong to the test whose run called it.
    let task = Task(executorPreference: executor, priority: body.priority) { await body() }
    tasks[token.slot] = RunningTask(task: task, run: EffectRun(operation), token: token)
  }

  // MARK: - What is in flight

  /// The runs whose closures have not returned, in the order of their source lines, and what each one waits for.
  var inFlight: [InFlight] {
    let asleep = Dictionary(
      clock.sleepers.compactMap { sleeper in sleeper.run.map { ($0, sleeper.deadline) } }, uniquingKeysWith: min)
    return tasks.values
      .map { running in
        InFlight(
          run: running.run, wakes: asleep[running.token], isCancelled: interpreter.isCancelling(running.token))
      }
      .sorted { "\($0.run.site) \($0.run)" < "\($1.run.site) \($1.run)" }
  }

  /// Whether a run is suspended where neither the test's clock nor its executor can wake it.
  var isAnyParked: Bool {
    if tasks.isEmpty { return false }
    return inFlight.contains { $0.wakes == nil }
  }

  func cancelAll() {
    interpreter.cancelEverything()
    perform()
    executor.drain()
  }

  func report(_ text: String, at location: TestLocation) {
    Reporter.report(text, at: location)
  }
}

enum TestLimits {
  /// How many actions a turn may have in a test; the rest is taken for a cycle.
  static let followUps = 1_000
}

/// A run whose closure has not returned.
struct InFlight {
  let run: EffectRun
  /// When it wakes, if it sleeps on the test's clock.
  let wakes: TestClock.Instant?
  let isCancelled: Bool
}
