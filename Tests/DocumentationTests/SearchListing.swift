// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// What stands between `listing` and `end` is shown in README.md; `ListingTests.swift` compares the two.

import Testing

// listing: feature
import EffectRuntime

struct Search: Reducer {
  struct State: Equatable, Sendable { var query = ""; var results: [String] = []; var failure: String? }
  enum Action: Equatable, Sendable { case queryChanged(String), found([String]), failed(String) }

  var find: @Sendable (String) async throws -> [String]           // a dependency is a stored property

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.results = []                                          // old results never stand beside a new query
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        try await send.sleep(for: .milliseconds(300))             // the store's clock: virtual in tests
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
// end

@Test func `The store of the README finds the newest query`() async {
  let liveSearch: @Sendable (String) async throws -> [String] = { [$0.uppercased()] }
  let show: ([String]) -> Void = { #expect($0 == ["SWIFT 6"]) }
  // listing: store
  let store = Store(initialState: Search.State(), reducer: Search(find: liveSearch))

  store.send(.queryChanged("swift"))                              // from any thread, without waiting
  await store.send(.queryChanged("swift 6")).finish()             // ... or wait for all it caused

  for await results in store.values(\.results) {                  // observe anywhere
    show(results)
    break
  }
  // end
  #expect(await store.state == Search.State(query: "swift 6", results: ["SWIFT 6"]))
}

// listing: test
import EffectTesting
import Testing

@Test func searching() async {
  let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))

  store.send(.queryChanged("swift")) { $0.query = "swift" }
  store.advance(by: .milliseconds(300))
  await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
  await store.finish()
}
// end
