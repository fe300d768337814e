// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// The value that keeps what is carried, and what a store keeps of it.
@Suite struct `Contexts of dispatches` {
  @Test func `Contexts of settled dispatches are removed, a few at a time, and others stay (L8)`() throws {
    let contexts = try #require(CarriedContexts.make([CarriedValue(CarriedFeature.$context)]))
    for number in 1...40 { contexts.add(contexts.capture(), of: UInt64(number)) }
    contexts.sweep(taken: 30, isIdle: false) { _ in false }
    #expect(contexts.count == 40, "too little has happened")
    contexts.sweep(taken: 35, isIdle: false) { $0 > 33 }
    #expect(contexts.count == 7, "two that are active, and five that wait")
    #expect(contexts.context(of: 34) != nil && contexts.context(of: 33) == nil && contexts.context(of: 36) != nil)
    contexts.sweep(taken: 39, isIdle: true) { _ in false }
    #expect(contexts.count == 7, "one waits, and too little has happened since the last time")
    contexts.sweep(taken: 40, isIdle: true) { _ in false }
    #expect(contexts.count == 0)
  }

  @Test func `A store that carries nothing keeps nothing (L8)`() {
    #expect(CarriedContexts.make([]) == nil)
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
    await store.send(.plain).finish()
    #expect(store.mailbox.carried?.count == 0, "the store has nothing to do")
  }

  @Test(.timeLimit(.minutes(1)))
  func `An idle store keeps no carried value, so a value may refer to the store (L8, E7)`() async {
    final class Context: Sendable {
      let store = Lock<Store<CarriedFeature>?>(nil)
      let log: Recorder<String>
      @TaskLocal static var current: Context?

      init(_ log: Recorder<String>) { self.log = log }

      deinit { log.record("released") }
    }
    let log = Recorder<String>()
    do {
      let store = Store(initialState: [], reducer: CarriedFeature(), carrying: [CarriedValue(Context.$current)])
      let context = Context(log)
      context.store.withLock { $0 = store }
      await Context.$current.withValue(context) { store.send(.plain) }.finish()
    }
    await log.wait(for: "released")
  }
}
