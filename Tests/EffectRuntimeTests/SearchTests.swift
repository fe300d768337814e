// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

private struct Search: Reducer {
  struct State: Equatable {
    var query = ""
    var results: [String] = []
    var failure: String?
  }
  enum Action: Equatable, Sendable { case queryChanged(String), found([String]), failed(String) }

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.results = []
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        try await send.sleep(for: .milliseconds(1))
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .found(let results):
      state.results = results
      return .none
    case .failed(let message):
      state.failure = message
      return .none
    }
  }
}

private struct Offline: Error {}

@Test func `The newest query wins`() async {
  let store = Store(initialState: .init(), reducer: Search(find: { [$0.uppercased()] }))
  store.send(.queryChanged("swift"))
  await store.send(.queryChanged("swift 6")).finish()
  #expect(await store.state == .init(query: "swift 6", results: ["SWIFT 6"]))
}

@Test func `An error of a live run goes to its catch (E5)`() async {
  let store = Store(initialState: .init(), reducer: Search(find: { _ in throw Offline() }))
  await store.send(.queryChanged("swift")).finish()
  #expect(await store.state.failure == "Offline()")
}

@MainActor @Test func `A send on the store's own isolation is reduced when it returns (L1, L5)`() async {
  let store = Store(
    initialState: .init(), reducer: Search(find: { [$0.uppercased()] }), isolation: MainActor.shared)
  let dispatch = store.send(.queryChanged("swift"))
  #expect(queryNow(store) == "swift")
  await dispatch.finish()
  #expect(await store.state.results == ["SWIFT"])
}

/// Reads without waiting, as a view would.
@MainActor private func queryNow(_ store: Store<Search>) -> String {
  store.assumeIsolated { $0.state.query }
}

@Test func `Whoever has sent sees in the state what came of it (T2)`() async {
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
