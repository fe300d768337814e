// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in README.md; `ListingTests.swift` compares the two.

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
      (state.results, state.failure) = ([], nil)                  // a new query removes the old results
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

// listing: explore
@Test func theNewestQueryWins() async {
  let result = await explore(initialState: .init(), reducer: Search(find: { [$0] })) { script in
    script.send(.queryChanged("s"))
    script.send(.queryChanged("swift"))
  } always: { state in
    state.results.isEmpty || state.results == [state.query]
  }
  print(result)
  result.expectComplete()
}
// end

/// The test above prints; the page shows what.
private func print(_ value: some Any) {
  #expect("\(value)" == "complete: answers (8 states), timers (10 states), deliveries (17 states), steps (20 states)")
}
