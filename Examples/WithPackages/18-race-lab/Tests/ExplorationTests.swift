// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import race_lab

/// Two queries, whose answers arrive in every order.
@Suite struct `Explorations of the searches` {
  private static func race(
    _ reducer: some Reducer<Search.State, Search.Action>,
    always: @escaping @Sendable (Search.State) -> Bool = { _ in true }
  ) async -> Exploration {
    await explore(initialState: .init(), reducer: reducer, requiring: [.nothingRunsAtTheEnd]) { script in
      script.send(.typed("s"))
      script.send(.typed("sw"))
    } always: { state in
      always(state)
    } finally: { state in
      !state.isStale
    }
  }

  private static let find: @Sendable (String) async throws -> [String] = { [$0] }

  @Test func `With restart no answer to an older query is ever shown (E1)`() async {
    let result = await Self.race(Search(overlap: .restart, find: Self.find)) { $0.outdated == 0 }
    // 14 orders of two queries and their answers; in 2 more the first run is cancelled before it begins, and is never
    // called.
    result.expectComplete()
  }

  @Test(arguments: [Overlap.enqueue, .keepLatest, .join])
  func `If the newer search waits for its turn, its answer is shown last (O1)`(overlap: Overlap) async {
    let result = await Self.race(Search(overlap: overlap, find: Self.find))
    // 6 orders; in 2 of them the first answer comes before the second query, and the run ends before or after it.
    result.expectComplete()
  }

  @Test(arguments: [Overlap.concurrent, .restart(limit: 2), .drop, .keepLatest(limit: 2)])
  func `With these the race ends stale (O1)`(overlap: Overlap) async {
    let failures = await reportedFailures { _ = await Self.race(Search(overlap: overlap, find: Self.find)) }
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix("When nothing can happen any more, `finally` does not hold.") == true)
  }

  @Test func `With join a repeated query shares a search that is not the last (O5)`() async {
    let failures = await reportedFailures {
      _ = await explore(initialState: .init(), reducer: Search(overlap: .join, find: Self.find)) { script in
        script.send(.typed("s"))
        script.send(.typed("sw"))
        script.send(.typed("s"))
      } finally: { state in
        !state.isStale
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("State(query: \"s\", shown: 1 for \"sw\", outdated: 1)") == true)
  }

  @Test func `The naive search ends stale`() async {
    let text = """
      When nothing can happen any more, `finally` does not hold. Found by schedule 2 of the search.

      The order of two actions matters:
        first   `.found(1 for "sw")` of run 2
        second  `.found(1 for "s")` of run 1
      If the second one comes first, all conditions hold.

      Two runs at race_lab/NaiveSearch.swift:20 were active at the same time, because they have no id: .found(1 for "s") came from the older one, after the newer one had begun. If only the newest may answer, write `id: "search", overlap: .restart` there.

      State:
        State(query: "sw", shown: 1 for "s", outdated: 1)

      What has happened so far:

      seconds  1   2
               s   sw
        0.000  ●       .typed("s")  ExplorationTests.swift:15
               │   ●   .typed("sw")  ExplorationTests.swift:16
               │   ◆   .found(1 for "sw")  from 2
               ◆       .found(1 for "s")  from 1

      1  run(input: "s") at race_lab/NaiveSearch.swift:20
      2  run(input: "sw") at race_lab/NaiveSearch.swift:20

      ● starts   ◆ its action is reduced   │ runs
      where a line stops, the run has ended

      Run this schedule alone:
        explore(…, replaying: "u u d d e1 e0 d d")
      """
    let failures = await reportedFailures {
      _ = await Self.race(NaiveSearch(find: Self.find))
    }
    #expect(failures == [text])
  }
}
