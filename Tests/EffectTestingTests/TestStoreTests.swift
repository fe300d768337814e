// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

struct Search: Reducer {
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
        try await send.sleep(for: .milliseconds(300))
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

@Test func `A search is proved step by step`() async {
  let store = TestStore(initialState: .init(), reducer: Search(find: { [$0.uppercased()] }))
  store.send(.queryChanged("swift")) { $0.query = "swift" }
  store.advance(by: .milliseconds(300))
  await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
  await store.finish()
}

@Test func `Only the newest query is answered`() async {
  let store = TestStore(initialState: .init(), reducer: Search(find: { [$0] }))
  store.send(.queryChanged("s")) { $0.query = "s" }
  store.advance(by: .milliseconds(299))
  store.send(.queryChanged("sw")) { $0.query = "sw" }
  store.advance(by: .milliseconds(300))
  await store.receive(.found(["sw"])) { $0.results = ["sw"] }
  await store.finish()
}
