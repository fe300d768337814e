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

@Test func `The README queries a store, and ends it`() async throws {
  struct SearchFailed: Error { var why: String }
  let store = Store(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))
  let show: ([String]) -> Void = { #expect($0 == ["SWIFT 6"]) }
  // listing: request
  let results = try await store.request(.queryChanged("swift 6")) { state in
    if let failure = state.failure { throw SearchFailed(why: failure) }
    return state.results
  }
  show(results)
  // end
  store.send(.queryChanged("swift"))
  // listing: status
  let isSearching = await store.isRunning("search")               // or .status("search"): how many, attempt, input
  let everything = await store.effects                            // all active work, by id
  // end
  #expect(isSearching)
  #expect(everything["search"] == EffectStatus(running: 1, input: "swift"))
  // listing: shutdown
  let cutShort = await store.shutdown(.draining(within: .seconds(5)))
  // end
  #expect(cutShort.isEmpty)
  #expect(await store.state.results == ["SWIFT"])
}

// listing: view
@MainActor func screen(_ search: ObservableStore<Search>) -> String {
  if search.isRunning("search") { return "Looking for \(search.query) ..." }
  return search.failure ?? search.results.joined(separator: "\n")
}
// end

@MainActor @Test func `The view of the README shows what runs`() async {
  let search = ObservableStore(initialState: Search.State(), reducer: Search(find: { [$0, "2"] }))
  #expect(screen(search) == "")
  let sent = search.send(.queryChanged("1"))
  #expect(screen(search) == "Looking for 1 ...")
  await sent.finish()
  #expect(screen(search) == "1\n2")
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

// listing: explore
@Test func theNewestQueryWins() async {
  let result = await explore(initialState: .init(), reducer: Search(find: { [$0] })) { run in
    run.send(.queryChanged("s"))
    run.send(.queryChanged("swift"))
  } always: { state in
    state.results.isEmpty || state.results == [state.query]
  }
  print(result)
  result.expectComplete()
}
// end

/// The test above prints; the page shows what.
private func print(_ value: some Any) {
  #expect("\(value)" == "complete at grain everyJob: 125 schedules")
}
