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

  @Test func `How work ended is kept from the step on`() async {
    let store = counterStore(save { send in try await send.sleep(for: .seconds(1)) })
    store.send(.start)
    store.advance(by: .seconds(1))
    #expect(store.status("save").lastOutcome == .notKept)
    store.keepOutcomes(of: ["save"])
    #expect(store.status("save").lastOutcome == .noneYet)
    store.send(.start)
    store.send(.start)
    #expect(store.status("save").lastOutcome == .ended(.cancelled(.replaced)))
    store.advance(by: .seconds(1))
    #expect(store.status("save").lastOutcome == .ended(.finished))
    #expect(store.status("other").lastOutcome == .notKept)
    await store.finish()
  }

  @Test func `To keep outcomes is no step that proves anything`() async {
    let store = counterStore()
    let found = await failures {
      store.keepOutcomes(of: ["save"])
      await store.finish()
      store.keepOutcomes(of: ["save"])
    }
    #expect(found.map(\.line) == [#line - 3, #line - 2])
    #expect(found.first?.text.hasPrefix("No step was taken") == true, "\(found)")
    #expect(found.last?.text.hasPrefix("keepOutcomes(of:) comes after `finish()`") == true, "\(found)")
  }
}
