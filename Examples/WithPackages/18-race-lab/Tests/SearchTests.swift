// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import race_lab

/// What the two searches do, step by step; the server answers sooner if the query is longer.
@Suite struct `Naive search and search with an overlap` {
  private static func find(_ clock: TestClock) -> @Sendable (String) async throws -> [String] {
    let latency = Latency(kind: .decreasing, range: 300...1500)
    return { query in
      // Ignores cancellation: a cancelled run gets an answer too.
      try? await clock.sleep(for: .milliseconds(latency.milliseconds(for: query, seed: 0)))
      return ["swift"]
    }
  }

  @Test func `The naive search ends with an old answer for a new query`() async {
    let store = TestStore(initialState: Search.State(), reducer: NaiveSearch { _ in [] })
    store.reducer.find = Self.find(store.clock)
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(Answer(query: "swift", birds: ["swift"]))) {
      $0.shown = Answer(query: "swift", birds: ["swift"])
    }
    #expect(!store.state.isStale)
    store.advance(by: .milliseconds(1200))
    await store.receive(.found(Answer(query: "s", birds: ["swift"]))) {
      $0.shown = Answer(query: "s", birds: ["swift"])
      $0.outdated = 1
    }
    #expect(store.state.isStale)
    await store.finish()
  }

  @Test func `With restart the old answer arrives and is dropped (O1, E1)`() async {
    let store = TestStore(initialState: Search.State(), reducer: Search(overlap: .restart) { _ in [] })
    store.reducer.find = Self.find(store.clock)
    store.send(.typed("s")) { $0.query = "s" }
    await store.settle()
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(Answer(query: "swift", birds: ["swift"]))) {
      $0.shown = Answer(query: "swift", birds: ["swift"])
    }
    await store.finish()
    #expect(!store.state.isStale)
    let dropped = store.trace.compactMap { if case .dropped(let action, _) = $0.kind { action } else { nil } }
    #expect(dropped == [.found(Answer(query: "s", birds: ["swift"]))])
  }

  @Test func `An empty field shows nothing, and earlier searches have no effect (E3)`() async {
    let store = TestStore(initialState: Search.State(), reducer: Search(overlap: .enqueue) { _ in [] })
    store.reducer.find = Self.find(store.clock)
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("sw")) { $0.query = "sw" }
    store.send(.typed("")) { $0.query = "" }
    store.advance(by: .milliseconds(1500))
    await store.finish()
  }
}
