// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectTesting

/// A search that reports no issues.
struct SearchInTest {
  var result = Exploration()
  var text: String?
  /// What the search has found out about the closures.
  var knowledge = SearchKnowledge()

  init(
    _ search: Exploration.Search, budget: Int = 1_000_000, faults: Exploration.Faults = .none,
    checks: Bool = false,
    _ body: nonisolated(nonsending) (Exploration.Schedule) async -> Void
  ) async {
    let explorer = Explorer(
      budget: budget, search: search, seed: 1,
      settings: ScheduleRunner.Settings(faults: faults))
    explorer.checksRepeats = checks
    await explorer.search(body)
    result = explorer.result
    text = explorer.failureText
    knowledge = explorer.runner.knowledge
  }
}
