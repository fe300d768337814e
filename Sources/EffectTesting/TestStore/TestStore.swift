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
  /// Such a run waits for a socket, the main actor or a real clock, for example. At the limit the step fails.
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
  @usableFromInline var runs = TestRuns()
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
  var unmatchedCancels = UnmatchedCancels()
  /// Whether a step was taken, or the state or the work was compared.
  @usableFromInline var hasSteps = false
  /// The actions that were dropped and that the test has not expected yet.
  @usableFromInline var drops = Drops<R.Action>()
  /// The reason for cancels that are not the effect of an action.
  @usableFromInline var stop = Stop.sequence
  /// What follows from failures that have been reported.
  @usableFromInline var reportedFailures = ReportedFailures<R.Action>()
  var waiters = TestWaiters<R.State>()
  @usableFromInline var ending = TestEnding()
  /// Whether a call of a mock wakes a step that waits.
  var isNotifiedOfCalls = false
  /// The line of the last step, for failures in runs that a step reveals, and for a missing ``finish()``.
  @usableFromInline var location: TestLocation

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
    engine.scheduler.looksForLaterWork = true
    engine.carried = mailbox.carried
    Reporter.keepFailures(ofRunsOf: mailbox.identity)
    engine.trace(true)
    if R.State.self is AnyClass { report(FailureText.stateIsObject("\(R.State.self)"), at: location) }
  }

  deinit {
    if !isFinished { reportUnfinished() }
    for run in runs.all { run.task.cancel() }
    for message in mailbox.close() + batch[position...] { message.storeIsGone() }
    engine.answerSender()
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
