// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: two laps, and then a long run of two stopwatches on a machine that is always late.
@main
enum Main {
  static func main() async {
    let clock = LateClock()
    let store = Store(initialState: Stopwatch.State(), reducer: Stopwatch(), clock: clock)
    store.send(.startTapped)
    await clock.pass(sleeps: 100)
    store.send(.lapTapped)
    await clock.pass(sleeps: 50)
    store.send(.lapTapped)
    store.send(.stopTapped)
    let state = await store.state
    print("Two laps, on a clock that ends each sleep up to 16 milliseconds late (no real time passes):")
    for (number, lap) in state.laps.enumerated() { print("  lap \(number + 1): \(lap)") }
    print("  total: \(state.elapsed)")

    print("\n10,000 ticks, most of them late:")
    let (right, naive) = (
      await LongRun(of: Stopwatch(), starting: .startTapped, ticks: 10_000),
      await LongRun(of: NaiveStopwatch(), starting: .startTapped, ticks: 10_000)
    )
    print("  the stopwatch \(right): \(right.lost) lost")
    print("  the naive one \(naive): \(naive.lost) lost")
    print("The stopwatch gets the time from the number of the tick. The naive one counts the ticks.")
  }
}
