// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

/// The part of an ExploredStore that needs neither its state nor its actions.
@usableFromInline
class ExploredFeature {
  @usableFromInline let executor: ScheduleExecutor
  let clock: TestClock
  /// Closures that have not returned.
  @usableFromInline final var live: [LiveRun] = []
  /// The first promise that was broken.
  final var breach: Breach?
  /// Whether what happens is remembered, to be drawn.
  @usableFromInline final var isTraced = false
  final var log = TestLog()
  @usableFromInline final var hasEventuallyHeld = true

  init(executor: ScheduleExecutor, clock: TestClock) {
    self.executor = executor
    self.clock = clock
  }

  // What the world asks for now and then. What it asks for all the time are closures.

  var hasAlarms: Bool { false }
  var nextAlarm: Alarm? { nil }
  func fireAlarm() {}
  /// Nothing can happen any more: what must hold at the end.
  func checkEnd() {}
  /// Ends everything; whether nothing is left.
  func tearDown() -> Bool { true }
  var stateText: String { "" }

  final func fail(_ breach: Breach) {
    if self.breach == nil { self.breach = breach }
  }

  @usableFromInline
  final func start(_ task: Task<Void, Never>, _ token: Token, _ operation: any AnyOperation) {
    live.append(LiveRun(task: task, token: token, operation: operation))
  }

  @usableFromInline
  final func cancel(_ token: Token) {
    for run in live where run.token == token { run.task.cancel() }
  }

  @usableFromInline
  final func returned(_ token: Token) {
    if let index = live.firstIndex(where: { $0.token == token }) { live.remove(at: index) }
  }

  /// Closures that neither the clock nor a ready job will wake.
  final var parked: [LiveRun] {
    if live.isEmpty { return [] }
    let asleep = clock.runsAsleep
    return live.filter { asleep[$0.token] == nil }
  }
}

/// A run whose closure has not returned.
@usableFromInline
struct LiveRun {
  let task: Task<Void, Never>
  let token: Token
  let operation: any AnyOperation

  var run: EffectRun { EffectRun(operation) }
  /// What a failure calls it.
  var name: String { "\(run) at \(operation.site)" }
}

/// A promise that a schedule broke.
struct Breach: Equatable {
  /// Tells one promise from another.
  var label: String
  /// What came instead.
  var detail = ""
}
