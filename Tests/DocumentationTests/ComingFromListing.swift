// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/ComingFrom.md.

import EffectTesting
import Testing

// listing: reducer
struct Finder: Reducer {
  struct State: Equatable, Sendable { var query = ""; var results: [String] = [] }
  enum Action: Equatable, Sendable { case queryChanged(String), found([String]), left }

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      } catch: { _, send in
        send(.found([]))
      }
      .debounce(for: .milliseconds(300))
    case .found(let results):
      state.results = results
      return .none
    case .left:
      return .cancel(id: "search")
    }
  }
}
// end

@Test func finding() async {
  let store = TestStore(initialState: Finder.State(), reducer: Finder(find: { [$0] }))
  store.send(.queryChanged("swift")) { $0.query = "swift" }
  store.advance(by: .milliseconds(300))
  await store.receive(.found(["swift"])) { $0.results = ["swift"] }
  await store.finish()
}

@Suite struct `Coming from elsewhere` {
  @Test func `The page shows the code that was compiled and run`() throws {
    try Listings().check(
      "Docs/ComingFrom.md",
      against: ["ComingFromListing.swift", "MigrationListing.swift"])
  }

  @MainActor @Test func `A view model is an observable store`() async {
    // listing: model
    let model = ObservableStore(
      initialState: Finder.State(), reducer: Finder(find: { [$0] }), clock: .immediate)
    let search = model.send(.queryChanged("swift"))                   // no Task to keep
    await search.finish()                                             // or show model.isRunning("search"): no flag to keep
    let results = model.results
    model.send(.left)
    // end
    #expect(results == ["swift"])
  }
}
