// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The part of an ``ExploredStore`` that needs neither its state nor its actions. Everything else that a runner asks of the
/// store is one of its ``ScheduleRunner/Operations``.
@usableFromInline
class ExploredFeature {
  @usableFromInline let executor: ScheduleExecutor
  @usableFromInline let clock: TestClock

  // SAFETY: read after every step, and therefore not checked for overlapping accesses. There are none, as in the ``ScheduleRunner``.
  /// Closures that have not returned.
  @safe @exclusivity(unchecked) @usableFromInline final var live: [LiveRun] = []
  /// The first property that was violated.
  @safe @exclusivity(unchecked) @usableFromInline final var violation: Violation?
  /// Whether events are recorded, for a drawing.
  @safe @exclusivity(unchecked) @usableFromInline final var isTraced = false
  /// What else is noted of this schedule, for a test that has the same order; `nil` if nothing.
  @safe @exclusivity(unchecked) @usableFromInline final var notes: ScheduleNotes?
  /// Whether faults may be injected into runs.
  @safe @exclusivity(unchecked) @usableFromInline final var hasFaults = false
  @safe @exclusivity(unchecked) @usableFromInline final var hasEventuallyHeld = true
  /// Whether anything other than `eventually` must hold at the end.
  @safe @exclusivity(unchecked) @usableFromInline final var checksEnd = false
  /// Whether the scheduler has a deadline, as of the last check of the mailbox.
  @safe @exclusivity(unchecked) @usableFromInline final var hasAlarms = false
  /// How many ends wait to be taken, of runs whose closures have returned.
  @safe @exclusivity(unchecked) @usableFromInline final var endCount = 0
  /// Whether the script waits for ends, so that each end may be observed.
  @safe @exclusivity(unchecked) @usableFromInline final var observesEnds = false
  /// Whether the store was shut down.
  @safe @exclusivity(unchecked) @usableFromInline final var isShutDown = false
  /// Whether the jobs of some runs must be able to stop before they post a message.
  @safe @exclusivity(unchecked) @usableFromInline final var hasStops = false
  /// Everything is being ended, and nothing is chosen any more.
  @safe @exclusivity(unchecked) @usableFromInline final var isEnding = false
  /// Whether the runs whose ends were taken are remembered.
  @safe @exclusivity(unchecked) @usableFromInline final var keepsReturned = false
  /// How many runs have started in this schedule.
  @safe @exclusivity(unchecked) @usableFromInline final var startCount = 0

  /// Runs that were made to hang.
  final var hung: [Token] = []
  /// The runs whose ends were taken, if they are remembered.
  @usableFromInline final var returnedRuns: [Int] = []

  @usableFromInline
  init(executor: ScheduleExecutor, clock: TestClock) {
    self.executor = executor
    self.clock = clock
  }

  final func fail(_ violation: Violation) {
    if self.violation == nil { self.violation = violation }
  }

  @usableFromInline
  final func start(
    _ task: Task<Void, Never>, _ body: RunTask, _ token: Token, _ operation: any AnyOperation, isCatch: Bool
  ) {
    startCount += 1
    live.append(
      LiveRun(task: task, body: body, token: token, operation: operation, isCatch: isCatch, number: startCount))
  }

  @usableFromInline
  final func returned(_ token: Token) {
    guard let index = live.firstIndex(where: { $0.token == token }) else { return }
    let run = live.remove(at: index)
    if keepsReturned { returnedRuns.append(run.number) }
  }

  /// Closures that sleep on the clock.
  final var asleep: [String] {
    let asleep = clock.runsAsleep
    return live.filter { asleep[$0.token] != nil }.map { run in
      guard case .timer(_, hasEqualTicks: false) = run.operation.builtIn else { return run.name }
      return "\(run.name) (if all its ticks are equal, write the action in place of its closure)"
    }
  }

  /// Whether a job is ready that waits for no answer: the call of a `catch`, a tick, or an action that is sent after a delay.
  final var hasPromptJob: Bool {
    live.contains { run in
      (run.operation.builtIn != nil || run.isCatch && run.body.isWaiting) && executor.isReady(run.task)
    }
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
  /// Whether its `catch` is executed.
  let isCatch: Bool
  /// The same in all schedules that begin with the same steps.
  let number: Int

  var run: EffectRun { EffectRun(operation) }
  /// What a failure of code without a store calls it.
  var title: String { operation.id.map { "\($0)" } ?? "" }
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
  /// If the schedule has come back to a state and can repeat for ever: how many events there were when it was in this state before.
  var repeatsAfter: Int?
  /// Whether requests of a history may be left out when the schedule is shortened. The history without them is one that
  /// the script could have had.
  var isOfHistory = false
}

extension ExploredFeature {
  /// Whether a property was violated.
  final var hasFailed: Bool {
    // Not `!= nil`, which copies the violation.
    if case .some = violation { true } else { false }
  }
}
