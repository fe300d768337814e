// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `Statuses in a test store` {
  private struct Failed: Error {}

  private func save(_ body: @escaping @concurrent @Sendable (Send<CounterAction>) async throws -> Void) -> Effect<
    CounterAction
  > {
    .run(id: "save", overlap: .restart, body, catch: { _, _ in })
  }

  @Test func `A status shows what runs, and a held action keeps its run running`() async {
    let store = counterStore(save { send in send(.increment) })
    #expect(store.status("save").isIdle)
    store.send(.start)
    #expect(store.status("save").running == 1)
    await store.receive(.increment) { $0.count = 1 }
    #expect(store.status("save") == EffectStatus())
    #expect(store.status(String?.none) == EffectStatus())
    await store.finish()
  }
}
