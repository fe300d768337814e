// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

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
///   with XCTest alike; the test then goes on. What follows from a failure is not reported again, so one mistake is one
///   failure; before the first one nothing is left out. Keep the store in a local variable of the test: a forgotten
///   `finish()` is noticed when the store goes, and a test case object of XCTest never goes.
/// - Known limit: sleepers are attributed to runs, so a run with a child that sleeps on the clock counts as asleep, even
///   if another child of it is suspended outside of the test's control; no step waits for that one.
public final class TestStore<R: Reducer> where R.State: Equatable {
  /// What the feature remembers, after all actions sent and received so far.
  public var state: R.State {
    requireOutside("state")
    return engine.state
  }
  /// The feature's logic. May be replaced midway; runs that execute keep what they captured.
  public var reducer: R {
    get {
      requireOutside("reducer")
      return engine.reducer
    }
    set { engine.reducer = newValue }
  }
  /// The store's time.
  public let clock: TestClock
  /// How long, in real time, a step may wait for runs that are suspended outside of the test's control (a socket, the
  /// main actor, a detached task) before it fails.
  public var externalWait = Duration.seconds(10)
  /// How much the test must prove; may be changed between any two steps.
  public var exhaustivity = Exhaustivity.on
  /// Whether the test must say of each action that was dropped that it was, by
  /// `expectDrop(_:)`.
  ///
  /// Off by default: that nothing stale is reduced is proved without it (rule E1). On, a test also proves that runs which
  /// were cancelled or replaced, or have ended, send nothing more, or just what it says. A drop that was not expected is a
  /// failure at the next step that sends, advances, cancels or finishes; with ``exhaustivity`` off it is none.
  public var assertsDrops = false

  // Requirements of `ManualShell`. What most steps go through is inlinable, and so compiled for the types of a feature in a release build: to look up their
  // metadata takes longer than most of what a step does. The rest is called.
  @usableFromInline let executor: TestExecutor
  @usableFromInline let mailbox: Mailbox<R.Action>
  @usableFromInline var engine: Engine<R>
  /// The answers of the engine that are being performed.
  @usableFromInline var outputs = EngineOutputs<R.Action>()
  /// Which user code the engine is calling.
  @usableFromInline let phase = UncheckedCell(EnginePhase.resting)
  /// The runs whose closures have not returned.
  @usableFromInline var running: [Token: RunningTask] = [:]
  /// Where runs come from that wait for their time.
  @usableFromInline var origins: [Token: RunOrigin] = [:]
  /// How many runs have started; orders them in failure texts.
  @usableFromInline var started = 0
  /// What was taken out of the mailbox, and how far it has been looked at.
  @usableFromInline var batch: [Message<R.Action>] = []
  @usableFromInline var position = 0
  @usableFromInline var turn = TurnRecord()
  /// What has happened so far.
  @usableFromInline let log = TestLog()
  /// The action that must be received next.
  @usableFromInline var held: Held<R.Action>?
  /// Where ``advance(by:)`` is heading; reached as soon as nothing is held.
  @usableFromInline var target = Duration.zero
  @usableFromInline var isFinished = false
  /// The last cancel without a match that a failure has named, as the number of the event.
  @usableFromInline var toldUnmatched: UInt64 = 0
  /// Whether a step was taken, or the state or the work compared.
  @usableFromInline var hasSteps = false
  /// What was dropped and not asserted.
  @usableFromInline var drops = Drops<R.Action>()
  /// Runs whose closures have returned, while drops are asserted: a task may outlive them.
  @usableFromInline var ended: [Token: EffectRun] = [:]
  /// What cancels now, unless the effect of an action does.
  @usableFromInline var stop = Stop.sequence
  /// What follows from failures that have been reported.
  @usableFromInline var reportedFailures = ReportedFailures<R.Action>()
  /// Steps that wait for something that was sent to settle.
  @usableFromInline var watching: [Waiter] = []
  /// The line of the last step, for failures that a step uncovers in what runs, and for a ``finish()`` that is missing.
  @usableFromInline var location: TestLocation

  /// Makes a test store.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic, with dependencies fit for a test.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public convenience init(
    initialState: R.State, reducer: R, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      initialState: initialState, reducer: reducer, executor: TestExecutor(),
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  package init(initialState: R.State, reducer: R, executor: TestExecutor, at location: TestLocation) {
    self.executor = executor
    self.location = location
    let clock = TestClock()
    self.clock = clock
    engine = Engine(
      state: initialState, reducer: reducer,
      interpreter: Interpreter(now: { clock.now.offset }, number: { clock.nextNumber() }), pace: .stepwise, phase: phase
    )
    mailbox = Mailbox(time: TimeSource(clock))
    mailbox.attach(executor)
    mailbox.tellsSleeps()
    engine.trace(true)
    if R.State.self is AnyClass { report(FailureText.stateIsObject("\(R.State.self)"), at: location) }
  }

  deinit {
    if !isFinished { reportUnfinished() }
    for run in running.values { run.task.cancel() }
    for message in mailbox.close() + batch[position...] { message.storeIsGone() }
    engine.waitingSender?.answer(false)
    executor.abandon()
    phase.free()
  }

  /// Reports a failure.
  ///
  /// - Returns: whether it fails the test. A known issue does not, and then nothing that follows from it is excused.
  @usableFromInline
  @discardableResult
  func report(_ text: String, at location: TestLocation) -> Bool {
    let isFailure = Reporter.report(text + FailureText.timeline(log.events), at: location)
    if isFailure { reportedFailures.failed() }
    return isFailure
  }

  /// Shows what was not proved, if the test asks for that.
  @usableFromInline
  func note(_ text: @autoclosure () -> String, at location: TestLocation) {
    if exhaustivity.showsSkipped { Reporter.note(text(), at: location) }
  }
}

extension TestStore: ManualShell {}

/// An action that was received and waits for the test to say so.
// An object, and what else is remembered of a turn without the type of actions: where that is not known to the compiler, to
// look up the metadata of a generic value takes longer than most of what a step does.
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

/// Who sent a held action.
@usableFromInline
enum HeldSource {
  case run(RunningTask)
  /// A `.send` effect, in the turn that an action began; `nil` for one that the end of a run began.
  case turn(of: (any Sendable)?)
}

/// What is remembered of the turn at hand.
@usableFromInline
struct TurnRecord {
  /// The action it began with.
  @usableFromInline var first: (any Sendable)?
  /// The action whose effect is interpreted.
  @usableFromInline var current: (any Sendable)?
  /// The run whose end began it.
  @usableFromInline var ended: RunningTask?
  @usableFromInline var count = 0
  /// The last actions of a turn that has grown suspiciously long.
  @usableFromInline var latest: [any Sendable] = []
  /// Whether it began with, or went on from, an action that a failure has named.
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
  /// When time last moved on while the run was suspended where the test does not see it.
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

  /// What it is, for failure texts.
  @usableFromInline
  var run: EffectRun { description() }
}

@usableFromInline
enum TestLimits {
  /// How many actions a turn may have in a test; the rest is taken for a cycle.
  @inlinable static var followUps: Int { 1_000 }
}
