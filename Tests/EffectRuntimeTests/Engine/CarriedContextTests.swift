// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// The value that keeps what is carried, and what a store keeps of it.
@Suite struct `Contexts of dispatches` {
  @Test func `Contexts of settled dispatches are removed, a few at a time, and others stay (L8)`() throws {
    let contexts = try #require(CarriedContexts([CarriedValue(CarriedFeature.$context)]))
    for number in 1...31 { contexts.add(contexts.capture(), of: UInt64(number)) }
    contexts.sweep { _ in false }
    #expect(contexts.count == 31, "too few for a sweep")
    contexts.add(contexts.capture(), of: 32)
    contexts.sweep { $0 > 30 }
    #expect(contexts.count == 2)
    #expect(contexts.context(of: 31) != nil && contexts.context(of: 30) == nil)
  }

  @Test func `A store that carries nothing keeps nothing (L8)`() {
    #expect(CarriedContexts([]) == nil)
  }

  @Test func `A store keeps the contexts of active dispatches only (L8)`() async {
    let store = Store(
      initialState: [], reducer: CarriedFeature(wait: { try await Task.sleep(for: .seconds(1_000_000)) }),
      isolation: MainActor.shared, carrying: [CarriedValue(CarriedFeature.$context)])
    let active = (0..<40).map { _ in store.send(.queued) }
    for _ in 0..<1_000 { store.send(.seen("")) }
    await store.send(.seen("")).finish()
    #expect((store.mailbox.carried?.count ?? 0) <= 2 * 40 + 32)
    for task in active { task.cancel() }
    for task in active { await task.finish() }
    for _ in 0..<100 { await store.send(.plain).finish() }
    #expect((store.mailbox.carried?.count ?? 0) <= 2 * 40 + 32)
  }
}
