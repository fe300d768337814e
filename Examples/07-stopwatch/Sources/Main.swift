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
    print("laps:", state.laps.map { "\($0)" }.joined(separator: ", "))
    print("in all:", state.elapsed)

    print("\n10,000 ticks, most of them late:")
    print("the stopwatch", await LongRun(of: Stopwatch(), starting: .startTapped, ticks: 10_000))
    print("the naive one", await LongRun(of: NaiveStopwatch(), starting: .startTapped, ticks: 10_000))
  }
}
