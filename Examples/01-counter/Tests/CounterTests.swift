// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import counter

@Test func `The counter counts, at once and a second later`() async {
  let store = TestStore(initialState: Counter.State(), reducer: Counter())

  store.send(.plusTapped) { $0.count = 1 }

  store.send(.plusLaterTapped)
  store.advance(by: .seconds(1))
  await store.receive(.plusTapped) { $0.count = 2 }

  await store.finish()
}
