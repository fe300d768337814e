// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What a stopwatch shows after many ticks, and what it should show.
struct LongRun: CustomStringConvertible {
  let shown: Duration
  let passed: Duration

  var lost: Duration { passed - shown }

  init<R: Reducer>(of stopwatch: sending R, starting start: R.Action, ticks: Int) async
  where R.State == Stopwatch.State {
    let clock = LateClock()
    let store = Store(initialState: Stopwatch.State(), reducer: stopwatch, clock: clock)
    let started = store.send(start)
    await clock.pass(sleeps: ticks)
    passed = clock.now.time
    shown = await store.state.elapsed
    started.cancel()
  }

  var description: String { "shows \(shown) when \(passed) have passed" }
}
