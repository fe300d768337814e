// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The part of an ExploredStore that needs neither its state nor its actions.
@usableFromInline
class ExploredFeature {
  @usableFromInline let executor: ScheduleExecutor
  @usableFromInline let clock: TestClock
  @usableFromInline final let marks = UncheckedCell(Marks())
  @usableFromInline final var log = TestLog()
  /// All is being ended, and nothing chosen any more.
  @usableFromInline final var isEnding = false
  /// Runs that were made to hang.
  final var hung: [Token] = []

  @usableFromInline
  init(executor: ScheduleExecutor, clock: TestClock) {
    self.executor = executor
    self.clock = clock
  }

  deinit { marks.free() }

  /// Looked at after every step, and so not checked for overlapping accesses.
  @usableFromInline
  struct Marks {
    /// Closures that have not returned.
    @usableFromInline var live: [LiveRun] = []
    /// The first promise that was broken.
    @usableFromInline var violation: Violation?
    /// Whether what happens is remembered, to be drawn.
    @usableFromInline var isTraced = false
    /// Whether runs may be made to go wrong.
    @usableFromInline var hasFaults = false
    @usableFromInline var hasEventuallyHeld = true
    /// Whether anything but that must hold at the end.
    @usableFromInline var checksEnd = false
    /// Whether a deadline of the interpreter is to come; as of when the mailbox was looked into last.
    @usableFromInline var hasAlarms = false
    /// How many ends wait to be taken, of runs whose closures have returned.
    @usableFromInline var endCount = 0
  }

  // What the runner asks for now and then. What it asks for all the time are closures.

  /// Whether an action of the script was reduced.
  var hasReduced: Bool { false }
  var nextAlarm: Alarm? { nil }
  func fireAlarm() {}
  /// Whether only turns can tell when an end is taken that was set aside.
  func isQuiet(end index: Int) -> Bool { false }
  /// A job is over: perhaps something is to go wrong with whoever has suspended.
  func cancelSuspended() {}
  /// A run is to be cancelled that waits for something.
  @usableFromInline
  func noteCancel(ofWaiting run: LiveRun) {}
  /// Whether the closure of a run that is cancelled is not called, for the task has not come to that.
  @usableFromInline
  func isNeverCalled() -> Bool { false }
  /// Nothing can happen any more: what must hold at the end.
  func checkEnd() {}
  var stateText: String { "" }
  /// Those parked of which nobody has said that they may wait.
  var unexplained: [LiveRun] { parked }

  final func fail(_ violation: Violation) {
    if self.violation == nil { self.violation = violation }
  }

  @usableFromInline
  final func start(_ task: Task<Void, Never>, _ body: RunTask, _ token: Token, _ operation: any AnyOperation) {
    live.append(LiveRun(task: task, body: body, token: token, operation: operation))
  }

  @usableFromInline
  final func cancel(_ token: Token) {
    for run in live where run.token == token {
      // A store may have chosen its closure to be called next, which then finds itself cancelled; else it never calls it.
      if !isEnding, run.body.isWaiting, isNeverCalled() {
        run.body.cancel()
        // Nothing but the end comes of that, and it is taken when it likes.
        executor.runAtOnce(run.task)
        continue
      }
      // What a cancel brings to an end is not seen to come from outside.
      if !executor.isReady(run.task) { noteCancel(ofWaiting: run) }
      run.task.cancel()
    }
  }

  @usableFromInline
  final func returned(_ token: Token) {
    if let index = live.firstIndex(where: { $0.token == token }) { live.remove(at: index) }
  }

  /// Closures that neither the clock nor a ready job will wake, and that were not made to hang.
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
  /// Knows whether the closure has been called.
  let body: RunTask
  let token: Token
  let operation: any AnyOperation

  var run: EffectRun { EffectRun(operation) }
  /// What a failure calls it.
  var name: String { "\(run) at \(operation.site)" }
}

/// A promise that a schedule broke.
@usableFromInline
struct Violation: Equatable {
  /// Tells one promise from another.
  var label: String
  /// What came instead.
  var detail = ""
  /// All there is to say, where that is more than a sentence.
  var text: String?
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
  @inlinable final var hasAlarms: Bool {
    _read { yield marks.value.hasAlarms }
    _modify { yield &marks.value.hasAlarms }
  }
}
