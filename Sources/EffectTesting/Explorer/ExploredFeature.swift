// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The part of an ExploredStore that needs neither its state nor its actions.
@usableFromInline
class ExploredFeature {
  @usableFromInline let executor: ScheduleExecutor
  @usableFromInline let clock: TestClock
  @usableFromInline final let marks = UncheckedCell(Marks())

  /// Runs that were made to hang.
  final var hung: [Token] = []
  /// The runs whose ends were taken, if they are remembered.
  @usableFromInline final var returnedRuns: [Int] = []
  /// Whether ``hasCancelledCode`` is kept.
  final var isRecorded = false
  /// Whether a run was cancelled whose closure had not returned, since this was last set to `false`.
  final var hasCancelledCode = false

  @usableFromInline
  init(executor: ScheduleExecutor, clock: TestClock) {
    self.executor = executor
    self.clock = clock
  }

  deinit { marks.free() }

  /// Read after every step, and therefore not checked for overlapping accesses.
  @usableFromInline
  struct Marks {
    /// Closures that have not returned.
    @usableFromInline var live: [LiveRun] = []
    /// The first property that was violated.
    @usableFromInline var violation: Violation?
    /// Whether events are recorded, for a drawing.
    @usableFromInline var isTraced = false
    /// Whether faults may be injected into runs.
    @usableFromInline var hasFaults = false
    @usableFromInline var hasEventuallyHeld = true
    /// Whether anything other than `eventually` must hold at the end.
    @usableFromInline var checksEnd = false
    /// Whether the scheduler has a deadline, as of the last check of the mailbox.
    @usableFromInline var hasAlarms = false
    /// How many ends wait to be taken, of runs whose closures have returned.
    @usableFromInline var endCount = 0
    /// Whether the script waits for ends, so that each end may be observed.
    @usableFromInline var observesEnds = false
    /// Whether the store was shut down.
    @usableFromInline var isShutDown = false
    /// Whether the jobs of some runs must be able to stop before they post a message.
    @usableFromInline var hasStops = false
    /// Everything is being ended, and nothing is chosen any more.
    @usableFromInline var isEnding = false
    /// Whether the runs whose ends were taken are remembered.
    @usableFromInline var keepsReturned = false
    /// How many runs have started in this schedule.
    @usableFromInline var startCount = 0
  }

  // What the runner calls now and then. What it calls all the time are closures.

  /// Whether an action of the script was reduced.
  var hasReduced: Bool { false }
  var nextAlarm: Alarm? { nil }
  func fireAlarm() {}
  /// The time limit of a shutdown has come.
  func cutShutdown() {}
  /// The senders of the script that wait for something, by their names in a failure.
  var waitingSenders: [String] { [] }
  /// Whether only turns can show when an end is taken that was set aside.
  func isQuiet(end index: Int) -> Bool { false }
  /// A job is over: cancels the runs that have suspended and are to be cancelled by a fault.
  func cancelSuspended() {}
  /// A run that waits for something is to be cancelled.
  @usableFromInline
  func noteCancel(ofWaiting run: LiveRun) {}
  /// A run is to be cancelled whose closure may have been called.
  @usableFromInline
  func noteReach(_ run: LiveRun) {}
  /// Whether a run was cancelled, or is over.
  func isCancelled(_ token: Token) -> Bool { true }
  /// Whether a closure has returned whose end has not been taken yet.
  func holdsEnd(of token: Token) -> Bool { false }
  /// Whether the closure of the run with this number has returned, if ``keepsReturned`` was set before.
  final func hasReturned(_ number: Int) -> Bool {
    returnedRuns.contains(number) || live.contains { $0.number == number && holdsEnd(of: $0.token) }
  }
  /// Whether the closure of a cancelled run is not called, because its task has not called it yet.
  @usableFromInline
  func isNeverCalled() -> Bool { false }
  /// Nothing can happen any more: checks what must hold at the end.
  func checkEnd() {}
  /// Nothing can happen any more: fails if a run waits for an answer of a mock.
  func checkAnswers() {}
  var stateText: String { "" }
  /// What has happened, if events are recorded.
  var events: [TraceEvent<any Sendable>] { [] }
  /// How many messages wait that change something.
  var messageCount: Int { 0 }
  /// The parked runs that no requirement allows to wait.
  var unexplained: [LiveRun] { parked }

  final func fail(_ violation: Violation) {
    if self.violation == nil { self.violation = violation }
  }

  @usableFromInline
  final func start(_ task: Task<Void, Never>, _ body: RunTask, _ token: Token, _ operation: any AnyOperation) {
    startCount += 1
    live.append(LiveRun(task: task, body: body, token: token, operation: operation, number: startCount))
  }

  @usableFromInline
  final func cancel(_ token: Token) {
    for run in live where run.token == token {
      if isRecorded, !hasCancelledCode, !holdsEnd(of: token) { hasCancelledCode = true }
      // A store may be about to call the closure, which is then cancelled from the start. Otherwise it never calls it.
      if !isEnding, run.body.isWaiting, isNeverCalled() {
        run.body.cancel()
        // Only the end follows from that, and it may be taken at any time.
        executor.runAtOnce(run.task)
        continue
      }
      if !isEnding { noteReach(run) }
      // After a cancel it cannot be noticed any more that the run waited for something outside.
      if !executor.isReady(run.task) { noteCancel(ofWaiting: run) }
      executor.cancel(run.task)
    }
  }

  @usableFromInline
  final func returned(_ token: Token) {
    guard let index = live.firstIndex(where: { $0.token == token }) else { return }
    let run = live.remove(at: index)
    if keepsReturned { returnedRuns.append(run.number) }
  }

  /// Closures that neither the clock nor a ready job will wake, and that no `.hang` fault was injected into.
  final var parked: [LiveRun] {
    if live.isEmpty { return [] }
    let asleep = clock.runsAsleep
    return live.filter { asleep[$0.token] == nil && !hung.contains($0.token) }
  }
}

/// A run whose closure has not returned.
@usableFromInline
struct LiveRun {
  let task: Task<Void, Never>
  /// Records whether the closure has been called.
  let body: RunTask
  let token: Token
  let operation: any AnyOperation
  /// The same in all schedules that begin with the same steps.
  let number: Int

  var run: EffectRun { EffectRun(operation) }
  /// Its name in a failure.
  var name: String { "\(run) at \(operation.site)" }
}

/// A property that a schedule violated.
@usableFromInline
struct Violation: Equatable, Sendable {
  /// Distinguishes one property from another.
  var label: String
  /// What happened instead.
  var detail = ""
  /// The whole text, if it is more than a sentence.
  var text: String?
  /// Whether requests of a history may be left out when the schedule is shortened. The history without them is one that
  /// the script could have had.
  var isOfHistory = false
}

extension ExploredFeature {
  @inlinable final var live: [LiveRun] {
    _read { yield marks.value.live }
    _modify { yield &marks.value.live }
  }
  @inlinable final var violation: Violation? {
    _read { yield marks.value.violation }
    _modify { yield &marks.value.violation }
  }
  /// Whether a property was violated.
  final var hasFailed: Bool {
    // Not `!= nil`, which copies the violation.
    if case .some = marks.value.violation { true } else { false }
  }
  @inlinable final var isTraced: Bool {
    _read { yield marks.value.isTraced }
    _modify { yield &marks.value.isTraced }
  }
  @inlinable final var hasFaults: Bool {
    _read { yield marks.value.hasFaults }
    _modify { yield &marks.value.hasFaults }
  }
  @inlinable final var hasEventuallyHeld: Bool {
    _read { yield marks.value.hasEventuallyHeld }
    _modify { yield &marks.value.hasEventuallyHeld }
  }
  @inlinable final var checksEnd: Bool {
    _read { yield marks.value.checksEnd }
    _modify { yield &marks.value.checksEnd }
  }
  @inlinable final var endCount: Int {
    _read { yield marks.value.endCount }
    _modify { yield &marks.value.endCount }
  }
  @inlinable final var observesEnds: Bool {
    _read { yield marks.value.observesEnds }
    _modify { yield &marks.value.observesEnds }
  }
  @inlinable final var isShutDown: Bool {
    _read { yield marks.value.isShutDown }
    _modify { yield &marks.value.isShutDown }
  }
  @inlinable final var hasAlarms: Bool {
    _read { yield marks.value.hasAlarms }
    _modify { yield &marks.value.hasAlarms }
  }
  @inlinable final var hasStops: Bool {
    _read { yield marks.value.hasStops }
    _modify { yield &marks.value.hasStops }
  }
  @inlinable final var isEnding: Bool {
    _read { yield marks.value.isEnding }
    _modify { yield &marks.value.isEnding }
  }
  @inlinable final var keepsReturned: Bool {
    _read { yield marks.value.keepsReturned }
    _modify { yield &marks.value.keepsReturned }
  }
  @inlinable final var startCount: Int {
    _read { yield marks.value.startCount }
    _modify { yield &marks.value.startCount }
  }
}
