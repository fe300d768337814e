// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import live_search

/// Every order in which two queries and their answers can come.
@Suite struct `Explorations of the search` {
  /// Finds one line for each query, which is the query.
  private static let search = Search(pause: .milliseconds(150)) { query in
    AsyncThrowingStream { search in
      search.yield(Findings(matches: [Match(file: "f", line: 1, text: query)], searched: 1, matched: 1))
      search.finish()
    }
  }

  private static func twoQueries(_ reducer: some Reducer<Search.State, Search.Action>) async -> Exploration {
    await explore(
      initialState: Search.State(), reducer: reducer, requiring: [.nothingRunsAtTheEnd],
      options: .init(upTo: .deliveries)
    ) { script in
      script.send(.queryChanged("s"))
      script.send(.queryChanged("sw"))
    } always: { state in
      state.results.matches.allSatisfy { $0.text == state.query }
    } finally: { state in
      state.results.count == 1
    }
  }

  @Test func `No line of an older query is ever shown (E1)`() async {
    let result = await Self.twoQueries(Self.search)
    result.expectComplete(.deliveries)
  }

  /// A client as many are: a task of its own feeds the stream, and ends with its reader.
  @Test func `A client that makes a task is explored as the others`() async {
    let search = Search(pause: .milliseconds(150)) { query in
      AsyncThrowingStream { search in
        let task = Task {
          search.yield(Findings(matches: [Match(file: "f", line: 1, text: query)], searched: 1, matched: 1))
          search.finish()
        }
        search.onTermination = { _ in task.cancel() }
      }
    }
    let result = await Self.twoQueries(search)
    result.expectComplete(.deliveries)
  }

  @Test func `The naive search shows lines of a query that was typed before`() async {
    let text = """
      After a reduction `always` does not hold. Found by schedule 1 of the search and shortened from 15 steps to 10.

      Two runs at live_search/NaiveSearch.swift:16 were active at the same time, because they have no id: .found(Findings(matches: [f:1: s], searched: 1, matched: 1, skipped: [])) came from the older one, after the newer one had begun. If only the newest may answer, write `id: "search", overlap: .restart` there.

      State:
        State(query: "sw", results: Results(matches: [f:1: s], count: 1, searched: 1, matched: 1, skipped: 0, lastSkipped: nil), phase: .searching, limit: 200)

      What has happened so far:

      seconds  1   2
               s   sw
        0.000  ●       .queryChanged("s")  ExplorationTests.swift:23
               │   ●   .queryChanged("sw")  ExplorationTests.swift:24
               z   │   1 sleeps until 0.150 s
        0.150  ◆   │   .started  from 1
               ◆   │   .found(Findings(matches: [f:1: s], searched: 1, matched: 1,
               │   │   skipped: []))  from 1

      At the end of the trace runs 1, 2 are running.

      1  run(input: "s") at live_search/NaiveSearch.swift:16
      2  run(input: "sw") at live_search/NaiveSearch.swift:16

      ● starts   ◆ its action is reduced   │ runs   z sleeps

      Run this schedule alone:
        explore(…, replaying: "deliveries: u u d d e0 e0 t0 e0 d d")
      """
    let failures = await reportedFailures {
      _ = await Self.twoQueries(NaiveSearch(search: Self.search))
    }
    #expect(failures == [text])
  }

  @Test func `A test of one query finds nothing wrong with the naive search`() async {
    let store = TestStore(initialState: Search.State(), reducer: NaiveSearch(search: Self.search))
    let match = Match(file: "f", line: 1, text: "s")
    store.send(.queryChanged("s")) { $0 = .init(query: "s", phase: .waiting) }
    store.advance(by: .milliseconds(150))
    await store.receive(.started) { $0.phase = .searching }
    await store.receive(.found(Findings(matches: [match], searched: 1, matched: 1))) {
      $0.results = .init(matches: [match], count: 1, searched: 1, matched: 1)
    }
    await store.receive(.finished) { $0.phase = .finished }
    await store.finish()
  }
}
