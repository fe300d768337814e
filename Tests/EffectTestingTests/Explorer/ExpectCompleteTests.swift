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
        The exploration is not complete at level steps: complete: deliveries (12).

        `upTo:` ends the search below this level.
        """
      ])
    let text = await reportedFailures {
      let result = await explore(
        initialState: .init(), reducer: Queries(overlap: .restart), budget: .schedules(150)
      ) { run in
        for query in 0..<6 { run.send(.typed(query)) }
      }
      result.expectComplete()
    }
    #expect(
      text.map { $0.split(separator: "\n").last } == [
        """
        It is complete at a lower level only, and the budget is used up: 150 schedules in all. Make the script shorter, expect that \
        level with `expectComplete(.deliveries)`, or write a larger budget: `budget: .schedules(10_000)`.
        """
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

  /// What the text for a result advises, which is its last line.
  private func advice(_ change: (inout Exploration) -> Void) -> String? {
    var result = Exploration()
    change(&result)
    return FailureText.incomplete(result, at: .steps).split(separator: "\n").last.map { String($0) }
  }

  @Test func `A Send that outlives its run, and a lock that is held, have advice of their own`() {
    let send = advice { $0.gaps = [FailureText.sharedSend] }
    #expect(send == "Do not use a `send` after the closure of its run has returned.")
    let lock = advice { $0.gaps = [FailureText.heldLock] }
    #expect(lock == "Do not hold a lock while a run sends.")
  }

  @Test func `Schedules that were cut, and runs that still waited, have advice of their own`() {
    let cut = advice { ($0.cut, $0.limits) = (1, ["50 steps"]) }
    #expect(
      cut
        == "Let the script cancel what does not end by itself, such as a timer, or raise `steps:` of `options:`.")
    let timer = advice {
      ($0.cut, $0.limits, $0.completed) = (1, ["20 deadlines"], [(.answers, 12, 8)])
      $0.exhausted = Exploration.Exhausted(level: .timers, count: 2, cut: 1, waiting: 0)
    }
    #expect(
      timer
        == """
        Let the script cancel what does not end by itself, such as a timer, or raise `deadlines:` of `options:`. A timer that \
        repeats may always tick once more before the next step: with one, expect `.answers`.
        """)
    let random = advice { ($0.cut, $0.limits, $0.completed) = (1, ["20 deadlines"], [(.answers, 12, 8)]) }
    #expect(random == "`upTo:` ends the search below this level.")
    let waiting = advice { ($0.waitingCount, $0.waiting) = (1, ["load"]) }
    #expect(waiting == "If a run that still waited must not wait, let a mock give it what it waits for.")
  }
}
