// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private struct Offline: Error {}

@Test func `The newest query wins`() async {
  let store = Store(initialState: .init(), reducer: Search(pause: .zero, find: { [$0.uppercased()] }))
  store.send(.queryChanged("swift"))
  await store.send(.queryChanged("swift 6")).finish()
  #expect(await store.state == .init(query: "swift 6", results: ["SWIFT 6"]))
}

@Test func `An error of an active run goes to its catch (E5)`() async {
  let store = Store(initialState: .init(), reducer: Search(pause: .zero, find: { _ in throw Offline() }))
  await store.send(.queryChanged("swift")).finish()
  #expect(await store.state.failure == "Offline()")
}

@MainActor @Test func `A send on the store's own isolation is reduced when it returns (L1, L5)`() async {
  let store = Store(
    initialState: .init(), reducer: Search(pause: .zero, find: { [$0.uppercased()] }), isolation: MainActor.shared)
  let dispatch = store.send(.queryChanged("swift"))
  #expect(queryNow(store) == "swift")
  await dispatch.finish()
  #expect(await store.state.results == ["SWIFT"])
}

/// Reads without waiting, as a view would.
@MainActor private func queryNow(_ store: Store<Search>) -> String {
  store.assumeIsolated { $0.state.query }
}

@Test func `After a send, the sender sees in the state what the send caused (T2)`() async {
  let store = Store(
    initialState: 0,
    reducer: Reduce<Int, Int> { state, action in
      state += action
      return action == 2 ? .send(1) : .none
    })
  for step in 1...1_000 {
    store.send(2)
    #expect(await store.state == 3 * step)
  }
}
