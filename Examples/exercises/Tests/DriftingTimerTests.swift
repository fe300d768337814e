// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct DriftingTimerTests {
  @Test func `The third beat comes after exactly three seconds`() async {
    let store = TestStore(initialState: Metronome.State(), reducer: Metronome(click: {}))
    store.exhaustivity = .off
    store.reducer.click = { [clock = store.clock] in
      try await clock.sleep(for: .milliseconds(40))  // how long a click takes
    }

    store.send(.startTapped)
    for _ in 1...3 {
      store.advance(by: .seconds(1))
      await store.receive(.beat)  // fails if this beat is late
    }
    store.send(.stopTapped)
    store.advance(by: .seconds(5))  // the last click ends
    await store.finish()
  }
}
