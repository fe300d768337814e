// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import stopwatch

/// What the feature does, tick by tick.
@Suite struct StopwatchTests {
  @Test func `It ticks until it is stopped, and later goes on from that time (C6)`() async {
    let store = TestStore(initialState: Stopwatch.State(), reducer: Stopwatch())
    store.send(.startTapped)
    store.advance(by: .milliseconds(25))
    await store.receive(.ticked(elapsed: .milliseconds(10))) { $0.elapsed = .milliseconds(10) }
    await store.receive(.ticked(elapsed: .milliseconds(20))) { $0.elapsed = .milliseconds(20) }
    store.send(.stopTapped)
    store.advance(by: .seconds(1))
    store.send(.startTapped)
    store.advance(by: .milliseconds(10))
    await store.receive(.ticked(elapsed: .milliseconds(30))) { $0.elapsed = .milliseconds(30) }
    store.send(.stopTapped)
    await store.finish()
  }

  @Test func `A stopwatch that runs is not started again (O1)`() async {
    let store = TestStore(initialState: Stopwatch.State(), reducer: Stopwatch())
    store.send(.startTapped)
    store.advance(by: .milliseconds(5))
    store.send(.startTapped)
    store.assertEffects { $0["ticks"] = EffectStatus(running: 1) }
    store.advance(by: .milliseconds(5))
    await store.receive(.ticked(elapsed: .milliseconds(10))) { $0.elapsed = .milliseconds(10) }
    store.send(.stopTapped)
    await store.finish()
  }

  @Test func `Each lap is the time since the one before`() async {
    let store = TestStore(initialState: Stopwatch.State(elapsed: .seconds(5)), reducer: Stopwatch())
    store.send(.lapTapped) { $0.laps = [.seconds(5)] }
    store.send(.startTapped)
    store.advance(by: .milliseconds(10))
    await store.receive(.ticked(elapsed: .milliseconds(5010))) { $0.elapsed = .milliseconds(5010) }
    store.send(.lapTapped) { $0.laps = [.seconds(5), .milliseconds(10)] }
    store.send(.resetTapped) { $0 = Stopwatch.State() }
    store.advance(by: .seconds(1))
    await store.finish()
  }
}

/// Ticks and taps in every order, up to two ticks.
@Test func `No tick comes after a reset, and laps never add up to more than the elapsed time (E1)`() async {
  let result = await explore(
    initialState: Stopwatch.State(), reducer: Stopwatch(), requiring: [.nothingRunsAtTheEnd],
    options: .init(deadlines: 2)
  ) { script in
    script.send(.startTapped)
    script.send(.lapTapped)
    script.send(.resetTapped)
  } always: { state in
    state.laps.reduce(.zero, +) <= state.elapsed
  } finally: { state in
    state == Stopwatch.State()
  }
  // A timer may always tick once more before the next tap, so the number of orders has no limit.
  #expect(result.failure == nil && result.schedules > 1_000)
}

/// How right the stopwatch is after a long time, on a machine that is always late.
@Suite struct `Drift of the stopwatch` {
  @Test func `After 10,000 late ticks the time is as right as after the first (C6)`() async {
    let run = await LongRun(of: Stopwatch(), starting: .startTapped, ticks: 10_000)
    #expect(run.lost < Stopwatch.hundredth, "\(run)")
  }

  @Test func `With a clock that is always on time the naive stopwatch is right`() async {
    let store = TestStore(initialState: Stopwatch.State(), reducer: NaiveStopwatch())
    store.send(.startTapped)
    store.advance(by: .milliseconds(20))
    await store.receive(.ticked) { $0.elapsed = .milliseconds(10) }
    await store.receive(.ticked) { $0.elapsed = .milliseconds(20) }
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `The naive stopwatch loses almost half of the time`() async {
    let run = await LongRun(of: NaiveStopwatch(), starting: .startTapped, ticks: 2_000)
    #expect(run.lost > Stopwatch.hundredth)
    #expect("\(run)" == "shows 20.0 seconds when 36.0 seconds have passed")
  }
}
