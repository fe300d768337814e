// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// The value that keeps what is carried, and what a store keeps of it.
@Suite struct `Contexts of dispatches` {
  @Test func `Contexts of settled dispatches are removed, a few at a time, and others stay (L8)`() throws {
    let contexts = try #require(CarriedContexts([CarriedValue(CarriedFeature.$context)]))
    for number in 1...40 { contexts.add(contexts.capture(), of: UInt64(number)) }
    contexts.sweep(taken: 31) { _ in false }
    #expect(contexts.count == 40, "too few for a sweep")
    contexts.sweep(taken: 35) { $0 > 33 }
    #expect(contexts.count == 7, "two that are active, and five that wait")
    #expect(contexts.context(of: 34) != nil && contexts.context(of: 33) == nil && contexts.context(of: 36) != nil)
    contexts.sweep(taken: 40) { _ in false }
    #expect(contexts.count == 7, "too few since the last time")
    contexts.sweep(taken: 67) { _ in false }
    #expect(contexts.count == 0)
  }

  @Test func `A store that carries nothing keeps nothing (L8)`() {
    #expect(CarriedContexts([]) == nil)
  }

  @Test func `A store keeps the contexts of active dispatches only (L8)`() async {
    let store = Store(
      initialState: [], reducer: CarriedFeature(wait: { try await Task.sleep(for: .seconds(1_000_000)) }),
      isolation: MainActor.shared, carrying: [CarriedValue(CarriedFeature.$context)])
    let active = (0..<40).map { _ in store.send(.queued) }
    // A burst, whose contexts are kept until it has been reduced, and then as many actions one by one.
    for _ in 0..<1_000 { store.send(.seen("")) }
    for _ in 0..<1_100 { await store.send(.seen("")).finish() }
    #expect((40...120).contains(store.mailbox.carried?.count ?? 0))
    for task in active { task.cancel() }
    for task in active { await task.finish() }
    for _ in 0..<200 { await store.send(.plain).finish() }
    #expect((store.mailbox.carried?.count ?? 0) <= 64)
  }
}
