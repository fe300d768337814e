// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct WorkAfterDismissalTests {
  @Test func `When the page is closed, its work ends`() async {
    let store = TestStore(initialState: Shares.State(), reducer: Shares(page: .init(price: { _ in 7 })))
    store.send(.opened("ACME")) { $0.page = .init(name: "ACME") }
    await store.receive(.page(.appeared))
    store.advance(by: .seconds(5))
    await store.receive(.page(.received(price: 7))) { $0.page?.price = 7 }

    store.send(.closed) { $0.page = nil }
    await store.finish()  // fails if work is left
  }
}
