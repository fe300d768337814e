// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// One bug is one failure, also if the test expects that the exploration is complete.
@Suite struct ExpectCompleteTests {
  /// The failures of an exploration of two queries, and of `expectComplete` after it.
  private func failures(
    _ overlap: Overlap, search: Exploration.Search = .levels(upTo: .steps), at level: Exploration.Level = .steps,
    replaying: String? = nil
  ) async -> [String] {
    await reportedFailures {
      let result = await explore(
        initialState: .init(), reducer: Queries(overlap: overlap), options: .init(search: search), replaying: replaying
      ) { run in
        run.send(.typed(0))
        run.send(.typed(1))
      } always: {
        Queries.isFresh($0)
      }
      result.expectComplete(level)
    }
  }

  @Test func `A failed exploration is one failure`() async {
    let failures = await failures(.concurrent)
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix("After a reduction `always` does not hold.") == true)
  }

  @Test func `A complete exploration passes`() async {
    #expect(await failures(.restart) == [])
    #expect(await failures(.restart, at: .deliveries) == [])
    #expect(await failures(.restart, search: .full(.deliveries), at: .deliveries) == [])
  }

  @Test func `An incomplete exploration fails, and says why`() async {
    #expect(
      await failures(.restart, search: .full(.deliveries)) == [
        """
        The exploration is not complete at level steps: complete: deliveries (14).

        `upTo:` ends the search below this level.
        """
      ])
    let text = await reportedFailures {
      let result = await explore(
        initialState: .init(), reducer: Queries(overlap: .restart), budget: .schedules(200)
      ) { run in
        for query in 0..<4 { run.send(.typed(query)) }
      }
      result.expectComplete()
    }
    #expect(
      text.map { $0.split(separator: "\n").last } == [
        "It is complete at a lower level only. Expect that with `expectComplete(.answers)`, or write a larger budget: `budget: .schedules(10_000)`."
      ])
    #expect(
      await failures(.restart, search: .random(.steps)) == [
        """
        The exploration is not complete at level steps: 10,000 schedules, chosen at random.

        Give it a larger `budget:`, or make the script shorter.
        """
      ])
    #expect(
      await failures(.restart, replaying: "u u d") == [
        """
        The exploration is not complete at level steps: replayed 1 schedule.

        A replay runs one schedule. Remove `replaying:`.
        """
      ])
  }

  @Test func `A Send that outlives its run, and a lock that is held, have advice of their own`() {
    func advice(_ gap: String) -> String? {
      var result = Exploration()
      result.gaps = [gap]
      return FailureText.incomplete(result, at: .steps).split(separator: "\n").last.map { String($0) }
    }
    #expect(advice(FailureText.sharedSend) == "Do not use a `send` after the closure of its run has returned.")
    #expect(advice(FailureText.heldLock) == "Do not hold a lock while a run sends.")
  }
}
