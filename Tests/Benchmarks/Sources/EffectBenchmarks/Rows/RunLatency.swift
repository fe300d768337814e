// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// Rows about a run that an action starts or cancels while slow reductions wait after it: the time until the run
/// detects it.
enum RunLatency {
  static let rows = [
    row(
      "latency-start", "from the reduction that starts a run to the first line of its closure", .start,
      median: Limit(most: 150_000, stretch: 100_000)),
    row(
      "latency-cancel", "from the reduction that cancels a run to its cancellation handler", .cancel,
      median: Limit(most: 115_000, stretch: 100_000)),
  ]

  private enum Cause {
    case start
    case cancel
  }

  private static let trials = 20
  private static let reductionsBehind = 100

  private static func row(_ name: String, _ title: String, _ cause: Cause, median: Limit) -> Latency {
    Latency(
      name: name, title: "\(title), \(reductionsBehind) reductions of 100 us behind", rounds: 15,
      percentiles: [
        .init(percent: 50, limit: median),
        .init(percent: 90, limit: Limit(most: 200_000)),
      ],
      framework: .init("swift-effects") {
        let store = Store(initialState: 0, reducer: Delaying())
        return await delays(cause) { store.send($0) }
      },
      rivals: [
        .init("stream") {
          let store = StreamStore(0, PlainDelaying())
          return await delays(cause) { store.send($0) }
        }
      ])
  }

  private static func delays(_ cause: Cause, _ send: @escaping @Sendable (DelayAction) -> Void) async -> [Double] {
    var delays: [Double] = []
    for _ in 0..<trials { delays.append(await delay(cause, send)) }
    return delays
  }

  private static func delay(_ cause: Cause, _ send: @escaping @Sendable (DelayAction) -> Void) async -> Double {
    let trial = Trial()
    if case .cancel = cause {
      send(.startWaiting(trial))
      await trial.begun.wait()
    }
    onThreads(1) {
      // The store is in a reduction until all other actions wait after it.
      send(.hold(trial))
      trial.waitUntilHeld()
      switch cause {
      case .start: send(.start(trial))
      case .cancel: send(.cancel(trial))
      }
      for _ in 0..<reductionsBehind { send(.work) }
      send(.end(trial))
      trial.release()
    }
    await trial.ended.wait()
    await trial.noticed.wait()
    return trial.delay
  }
}

/// One run, and the times when it was started or cancelled and when it detected that.
private final class Trial: Sendable {
  let begun = Signal()
  let noticed = Signal()
  let ended = Signal()
  private let isHeld = Atomic(false)
  private let isReleased = Atomic(false)
  private let cause = Mutex<ContinuousClock.Instant?>(nil)
  private let measured = Mutex<Double?>(nil)
  private let flag = Flag()

  var delay: Double {
    guard let delay = measured.withLock(\.self) else {
      preconditionFailure("RunLatency: noticed before it was caused")
    }
    return delay
  }

  func hold() {
    isHeld.store(true, ordering: .releasing)
    while !isReleased.load(ordering: .acquiring) {}
  }

  func waitUntilHeld() {
    while !isHeld.load(ordering: .acquiring) {}
  }

  func release() { isReleased.store(true, ordering: .releasing) }

  /// Must be called at the end of the reduction.
  func wasCaused() {
    cause.withLock { $0 = .now }
  }

  func wasNoticed() {
    let now = ContinuousClock.now
    let delay = cause.withLock(\.self).map { nanoseconds($0.duration(to: now)) }
    measured.withLock { $0 = delay }
    noticed.give()
  }

  func waitForCancel() async {
    await withTaskCancellationHandler {
      begun.give()
      await flag.wait()
    } onCancel: {
      wasNoticed()
      flag.give()
    }
  }
}

private enum DelayAction: Sendable {
  /// Keeps the store busy until the trial is released.
  case hold(Trial)
  case startWaiting(Trial)
  case start(Trial)
  case cancel(Trial)
  case work
  case end(Trial)
}

private let slowReduction = Duration.microseconds(100)

private struct Delaying: Reducer {
  func reduce(into state: inout Int, action: DelayAction) -> Effect<DelayAction> {
    switch action {
    case .hold(let trial): trial.hold()
    case .startWaiting(let trial): return .run(id: 0, overlap: .restart) { _ in await trial.waitForCancel() }
    case .start(let trial):
      trial.wasCaused()
      return .run { _ in trial.wasNoticed() }
    case .cancel(let trial):
      trial.wasCaused()
      return .cancel(id: 0)
    case .work:
      state += 1
      beBusy(for: slowReduction)
    case .end(let trial): trial.ended.give()
    }
    return .none
  }
}

private struct PlainDelaying: PlainReducer {
  func reduce(into state: inout Int, action: DelayAction) -> PlainEffect<DelayAction> {
    switch action {
    case .hold(let trial): trial.hold()
    case .startWaiting(let trial): return .restart(0) { _ in await trial.waitForCancel() }
    case .start(let trial):
      trial.wasCaused()
      return .run { _ in trial.wasNoticed() }
    case .cancel(let trial):
      trial.wasCaused()
      return .cancel(0)
    case .work:
      state += 1
      beBusy(for: slowReduction)
    case .end(let trial): trial.ended.give()
    }
    return .none
  }
}
