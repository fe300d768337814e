// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// One bug is one failure, also if the test expects that the exploration is complete.
@Suite struct ExpectCompleteTests {
  /// The failures of an exploration of two queries, and of `expectComplete` after it.
  private func failures(
    _ overlap: Overlap, search: Exploration.Search = .standard, at grain: Exploration.Grain = .everyJob,
    replaying: String? = nil
  ) async -> [String] {
    await reportedFailures {
      let result = await explore(
        initialState: .init(), reducer: Queries(overlap: overlap), search: search, replaying: replaying
      ) { run in
        run.send(.typed(0))
        run.send(.typed(1))
      } always: {
        Queries.isFresh($0)
      }
      result.expectComplete(at: grain)
    }
  }

  @Test func `A failed exploration is one failure`() async {
    let failures = await failures(.concurrent)
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix("After a reduction `always` does not hold.") == true)
  }

  @Test func `A complete exploration passes`() async {
    #expect(await failures(.restart) == [])
    #expect(await failures(.restart, at: .descend) == [])
    #expect(await failures(.restart, search: .depthFirst(.descend), at: .descend) == [])
  }

  @Test func `An incomplete exploration fails, and says why`() async {
    #expect(
      await failures(.restart, search: .depthFirst(.descend)) == [
        """
        The exploration is not complete at grain everyJob: complete at grain descend: 14 schedules.

        It is complete at a coarser grain only: let it run more `schedules:`, or search at `.everyJob`.
        """
      ])
    #expect(
      await failures(.restart, search: .random()) == [
        """
        The exploration is not complete at grain everyJob: 10,000 schedules, chosen at random.

        Let it run more `schedules:`, or make the script shorter.
        """
      ])
    #expect(
      await failures(.restart, replaying: "u u d") == [
        """
        The exploration is not complete at grain everyJob: replayed 1 schedule.

        A replay runs one schedule. Remove `replaying:`.
        """
      ])
  }
}
