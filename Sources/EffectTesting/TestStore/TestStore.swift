// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// Proves what a feature does: every change of its state, every action it receives, and that no run is left at the end.
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
/// An action of a run or of a `.send` effect is **held** until the test receives it, and only then reduced. Everything behind
/// a held action waits. Time stands still until the test advances it. Runs execute on an executor of the store's own, so a
/// step detects when nothing more can happen. It waits in real time only for runs that are suspended outside of the test's
/// control.
///
/// - Isolation: for one test at a time, in any isolation; not `Sendable`. Any number of tests may run in parallel.
/// - Errors: everything that is not as expected is recorded as a failure of the running test, both with Swift Testing
///   and with XCTest; the test then goes on. What follows from a failure is not reported again, so one mistake is one
///   failure. Before the first failure nothing is hidden. A step that is called after `finish()`, inside the reducer or
///   inside a run is a failure and does nothing. Code that the store calls while it is being changed (rule S2) cannot read
///   `state`, `reducer`, `effects` and `status`: the process stops with a message. Keep the store in a local variable of
///   the test: a missing `finish()` is detected when the store is released, and an XCTest test case object is never
///   released.
/// - Cancellation: if the task of the test is cancelled, a step that waits in real time stops waiting, as at its limit.
/// - Known limit: sleepers are attributed to runs. So a run with a child that sleeps on the clock counts as asleep,
///   even if another child of it is suspended outside of the test's control. No step waits for that child.
public final class TestStore<R: Reducer> {
  /// The state of the feature, after all actions sent and received so far.
  public var state: R.State {
    requireOutside("state")
    return engine.state
  }
  /// The feature's logic. You may replace it during the test; active runs keep what they captured.
  public var reducer: R {
    get {
      requireOutside("reducer")
      return engine.reducer
    }
    set { engine.reducer = newValue }
  }
  /// The store's clock. It stands still until a step such as ``advance(by:fileID:filePath:line:column:)`` moves it.
  public let clock: TestClock
  /// How long, in real time, a step waits at most for runs that are suspended outside of the test's control.
  ///
  /// Such a run waits for a socket, the main actor or a detached task, for example. At the limit the step fails.
  public var externalWait = Duration.seconds(10)
  /// How much the test must prove. You may change it between any two steps.
  public var exhaustivity = Exhaustivity.on
  /// Whether the test must expect each dropped action, by `expectDrop(_:)`.
  ///
  /// Off by default: without it a test already proves that no stale action is reduced (rule E1). With it on, a test
  /// also proves that runs which were cancelled or replaced, or have ended, send nothing more, or only what the test
  /// expects. An unexpected drop is a failure at the next step that sends, advances, cancels or finishes. With
  /// ``exhaustivity`` off it is no failure.
  public var assertsDrops = false

  /// Whether a `receive` that has waited 100 ms of real time shows a note, which is no failure.
  package var noticesWaits = true

  // Requirements of `ManualShell`. The code that most steps execute is inlinable, so a release build compiles it for
  // the types of a feature. Looking up their metadata would take longer than most of what a step does. All other code is
  // not inlined.
  @usableFromInline let executor: TestExecutor
  @usableFromInline let mailbox: Mailbox<R.Action>
  @usableFromInline let comparison: StateComparison<R.State>
  @usableFromInline var engine: Engine<R>
  /// The outputs of the engine that are being performed.
  @usableFromInline var outputs = EngineOutputs<R.Action>()
  /// Which user code the engine is calling.
  @usableFromInline let phase = UncheckedCell(EnginePhase.resting)
  /// The runs whose closures have not returned.
  @usableFromInline var running: [Token: RunningTask] = [:]
  /// The origins of the runs that wait for their time.
  @usableFromInline var origins: [Token: RunOrigin] = [:]
  /// How many runs have started; orders them in failure texts.
  @usableFromInline var started = 0
  /// The messages taken out of the mailbox; `position` is how many of them have been handled.
  @usableFromInline var batch: [Message<R.Action>] = []
  @usableFromInline var position = 0
  @usableFromInline var turn = TurnRecord()
  /// What has happened so far.
  @usableFromInline let log = TestLog<R.Action>()
  /// The action that must be received next.
  @usableFromInline var held: Held<R.Action>?
  /// The target time of ``advance(by:)``; reached as soon as nothing is held.
  @usableFromInline var target = Duration.zero
  @usableFromInline var isFinished = false
  /// The number of the event of the last unmatched cancel that a failure has named.
  @usableFromInline var toldUnmatched: UInt64 = 0
  /// The cancels that matched nothing and were shown with a note.
  @usableFromInline var missedCancels: Set<UnmatchedCancel> = []
  /// Whether a step was taken, or the state or the work was compared.
  @usableFromInline var hasSteps = false
  /// The actions that were dropped and that the test has not expected yet.
  @usableFromInline var drops = Drops<R.Action>()
  /// Runs whose closures have returned; kept only while drops are asserted. A task of such a run may still send.
  @usableFromInline var ended: [Token: EffectRun] = [:]
  /// The reason for cancels that are not the effect of an action.
  @usableFromInline var stop = Stop.sequence
  /// What follows from failures that have been reported.
  @usableFromInline var reportedFailures = ReportedFailures<R.Action>()
  /// The waiters of steps and requests that wait until everything that an action caused has settled.
  @usableFromInline var watching: [Waiter] = []
  /// Requests whose actions have not settled.
  var requests: [PendingRequest<R.State>] = []
  /// Whether actions from outside are refused.
  @usableFromInline var isShutDown = false
  var ending = TestEnding()
  /// Whether a call of a mock wakes a step that waits.
  var isNotifiedOfCalls = false
  /// The line of the last step, for failures in runs that a step reveals, and for a missing ``finish()``.
  @usableFromInline var location: TestLocation

  /// Makes a test store.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic, with dependencies fit for a test.
  ///   - carried: the task-locals that runs have as the step that sent their action had them; see ``/EffectRuntime/CarriedValue``.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  @inlinable
  public convenience init(
    initialState: R.State, reducer: R, carrying carried: [CarriedValue] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where R.State: Equatable {
    // Made here, where a release build knows the types of the feature.
    let clock = TestClock()
    self.init(
      initialState: initialState, reducer: reducer, comparison: StateComparison(areEqual: { $0 == $1 }),
      executor: TestExecutor(), clock: clock,
      mailbox: Mailbox(time: TimeSource(clock), carried: CarriedContexts.make(carried)),
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Makes a test store for a state that is not `Equatable`, or of which only a part is to be compared.
  ///
  /// ```swift
  /// let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
  /// store.send(.skipped) { $0.position = .seconds(15) }
  /// ```
  ///
  /// The closures of steps are given the whole state, as always. What they set outside of the compared part is not
  /// compared, and neither is what the feature changes there: a failure about the state says so.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic, with dependencies fit for a test.
  ///   - part: takes what is compared out of a state: a key path, or a closure without side effects. To compare several
  ///     properties, return a struct of them that is `Equatable`. Called several times in each step.
  ///   - carried: the task-locals that runs have as the step that sent their action had them; see ``/EffectRuntime/CarriedValue``.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at. A failure quotes the argument from this line or those below it.
  ///   - column: likewise.
  public convenience init<Part: Equatable>(
    initialState: R.State, reducer: R, comparing part: @escaping (R.State) -> Part,
    carrying carried: [CarriedValue] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(
      initialState: initialState, reducer: reducer, comparison: StateComparison(part, at: location),
      executor: TestExecutor(), carrying: carried, at: location)
  }

  /// For the compiler's message where the state is not `Equatable`. Without this, the message does not say what to do.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic.
  @available(*, unavailable, message: "states are compared: let State be Equatable, or add comparing:")
  public convenience init(initialState: R.State, reducer: R) {
    fatalError("TestStore: an unavailable initialiser was called; bug in EffectTesting, please report")
  }

  /// Makes a test store that uses an executor of the caller.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic.
  ///   - executor: the executor of the runs; used by no other store.
  ///   - location: where a failure is shown.
  package convenience init(initialState: R.State, reducer: R, executor: TestExecutor, at location: TestLocation)
  where R.State: Equatable {
    self.init(
      initialState: initialState, reducer: reducer, comparison: StateComparison(), executor: executor, at: location)
  }

  convenience init(
    initialState: R.State, reducer: R, comparison: StateComparison<R.State>, executor: TestExecutor,
    carrying carried: [CarriedValue] = [], at location: TestLocation
  ) {
    let clock = TestClock()
    self.init(
      initialState: initialState, reducer: reducer, comparison: comparison, executor: executor, clock: clock,
      mailbox: Mailbox(time: TimeSource(clock), carried: CarriedContexts.make(carried)), at: location)
  }

  @usableFromInline
  init(
    initialState: R.State, reducer: R, comparison: StateComparison<R.State>, executor: TestExecutor, clock: TestClock,
    mailbox: Mailbox<R.Action>, at location: TestLocation
  ) {
    self.comparison = comparison
    self.executor = executor
    self.location = location
    self.clock = clock
    self.mailbox = mailbox
    engine = Engine(
      state: initialState, reducer: reducer,
      scheduler: Scheduler(now: { clock.now.offset }, number: { clock.nextNumber() }), pace: .stepwise, phase: phase
    )
    mailbox.attach(executor)
    mailbox.tellsSleeps()
    engine.reportsEachReduction = true
    engine.carried = mailbox.carried
    Reporter.keepFailures(ofRunsOf: mailbox.identity)
    engine.trace(true)
    if R.State.self is AnyClass { report(FailureText.stateIsObject("\(R.State.self)"), at: location) }
  }

  deinit {
    if !isFinished { reportUnfinished() }
    for run in running.values { run.task.cancel() }
    for message in mailbox.close() + batch[position...] { message.storeIsGone() }
    engine.waitingSender?.answer(false)
    if isNotifiedOfCalls { AwaitedAnswers.forget(mailbox.identity) }
    executor.abandon()
    reportKeptFailures()
    Reporter.stopKeepingFailures(ofRunsOf: mailbox.identity)
    phase.free()
  }

  /// Reports a failure.
  ///
  /// - Returns: whether it fails the test. A known issue does not, and what follows from it is not excused.
  @usableFromInline
  @discardableResult
  func report(_ text: String, at location: TestLocation) -> Bool {
    let isFailure = Reporter.report(text + FailureText.timeline(log.events, fromRows: 3), at: location)
    if isFailure { reportedFailures.failed() }
    return isFailure
  }

  /// Reports a failure about the state. If only a part of the state is compared, the failure says so.
  @discardableResult
  func reportState(_ text: String, at location: TestLocation) -> Bool {
    report(text + comparison.remark(engine.state), at: location)
  }

  /// Shows what was not proved, if `showSkipped` is set.
  @usableFromInline
  func note(_ text: @autoclosure () -> String, at location: TestLocation) {
    if exhaustivity.showsSkipped { Reporter.note(text(), at: location) }
  }
}

extension TestStore: ManualShell {}

/// An action that has arrived and waits until the test receives it.
// It is an object, and `TurnRecord` is not generic over the action. Code that is not compiled for the type of the action
// must look up the metadata of a generic value, and this takes longer than most of what a step does.
@usableFromInline
final class Held<Action: Sendable> {
  @usableFromInline let action: Action
  @usableFromInline let source: HeldSource
  /// Whether it follows from an action that a failure has named.
  @usableFromInline let isExcused: Bool

  @inlinable
  init(action: Action, source: HeldSource, isExcused: Bool) {
    self.action = action
    self.source = source
    self.isExcused = isExcused
  }
}

/// What sent a held action.
@usableFromInline
enum HeldSource {
  case run(RunningTask)
  /// A `.send` effect, in the turn that this action began; `nil` if the end of a run or a deadline began the turn.
  case turn(of: (any Sendable)?)
}

/// The record of the current turn.
@usableFromInline
struct TurnRecord {
  /// The action it began with.
  @usableFromInline var first: (any Sendable)?
  /// The action whose effect is interpreted.
  @usableFromInline var current: (any Sendable)?
  /// The run whose end or time limit began it.
  @usableFromInline var ended: RunningTask?
  @usableFromInline var count = 0
  /// How many of the engine's outputs have been checked for runs that start when it has ended.
  @usableFromInline var starts = 0
  /// The last actions of a turn that is near its limit or has exceeded it.
  @usableFromInline var latest: [any Sendable] = []
  /// Whether it follows from an action that a failure has named.
  @usableFromInline var isExcused = false

  @inlinable
  init() {}
}

/// A run whose closure has not returned.
@usableFromInline
final class RunningTask {
  @usableFromInline let task: Task<Void, Never>
  @usableFromInline let token: Token
  @usableFromInline let number: Int
  /// The action whose effect it is; `nil` if it waited for the end of another run.
  @usableFromInline let cause: (any Sendable)?
  /// Whether it follows from an action that a failure has named.
  @usableFromInline var isExcused: Bool
  /// The time before the last move of the clock that happened while the run was suspended outside of the test's
  /// control.
  @usableFromInline var missed: Duration?
  /// What has cancelled it.
  @usableFromInline var stop: Stop?
  @usableFromInline let description: () -> EffectRun

  @inlinable
  init(
    task: Task<Void, Never>, token: Token, number: Int, cause: (any Sendable)?, isExcused: Bool,
    description: @escaping () -> EffectRun
  ) {
    self.task = task
    self.token = token
    self.number = number
    self.cause = cause
    self.isExcused = isExcused
    self.description = description
  }

  /// Its id, input and source line, for failure texts.
  @usableFromInline
  var run: EffectRun { description() }
}

@usableFromInline
package enum TestLimits {
  /// How many actions a turn may have, and how many a test may receive at one instant without expecting them, before a step
  /// stops them. More than a test has: in a debug build this many take some seconds.
  @inlinable package static var actions: Int { 200_000 }
  /// The same for a turn in an exploration, which repeats a schedule with such a turn several times.
  @inlinable package static var exploredActions: Int { 100_000 }
}
