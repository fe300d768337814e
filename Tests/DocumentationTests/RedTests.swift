// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@Test func `The page about testing shows the output of the test without its advance`() async throws {
  let shown = try #require(try Listings().shown(in: "Docs/Testing.md")["red"])
  let said = await reportedFailures {
    let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))
    store.send(.queryChanged("swift")) { $0.query = "swift" }
    await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
    await store.finish()
  }
  // The feature of the README is in a separate file, with the line numbers of its listing.
  let place = #/DocumentationTests/SearchListing\.swift:\d+/#
  let test = #/RedTests\.swift:\d+/#
  let texts = said.map {
    $0.replacing(place, with: "MyApp/Search.swift:14").replacing(test, with: "SearchTests.swift:8")
  }
  #expect(texts == [shown])
}

/// The feature of the README with the bug that its first section names.
private struct Careless: Reducer {
  func reduce(into state: inout Search.State, action: Search.Action) -> Effect<Search.Action> {
    guard case .queryChanged(let query) = action else {
      return Search(find: { [$0] }).reduce(into: &state, action: action)
    }
    state.query = query
    (state.results, state.failure) = ([], nil)
    return .run(id: "search", overlap: .concurrent, input: query) { query, send in
      try await send.sleep(for: .milliseconds(300))
      send(.found([query]))
    } catch: { error, send in
      send(.failed("\(error)"))
    }
  }
}

@Test func `The README shows what an exploration says`() async throws {
  let shown = try Listings().shown(in: "README.md")
  let result = await explore(initialState: .init(), reducer: Search(find: { [$0] })) { script in
    script.send(.queryChanged("s"))
    script.send(.queryChanged("swift"))
  } always: { state in
    state.results.isEmpty || state.results == [state.query]
  }
  #expect("\(result)" == shown["complete"])
  let texts = await reportedFailures {
    await explore(initialState: .init(), reducer: Careless()) { script in
      script.send(.queryChanged("s"))
      script.send(.queryChanged("swift"))
    } always: { state in
      state.results.isEmpty || state.results == [state.query]
    }
  }
  // The feature is in a file of its own, at the line that its listing has in it; the sends are in the lines of the listing.
  var sends = 3
  let text = texts.joined(separator: "\n")
    .replacing(#/DocumentationTests\/RedTests\.swift:\d+/#, with: "MyApp/Search.swift:14")
    .replacing(#/RedTests\.swift:\d+/#) { _ in
      defer { sends += 1 }
      return "SearchTests.swift:\(sends)"
    }
  #expect(text == shown["stale"])
}
