// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// A search, and the schedules that it has played to their end. It reports no issues.
struct ReducedSearch {
  var schedules: [String] = []
  var result = Exploration()
  var text: String?
  /// Whether a cancel can reach a run behind an action.
  var hasReached = false

  init(
    _ search: Exploration.Search, budget: Int = 1_000_000, faults: Exploration.Faults = .none,
    without rule: StepFacts.Rule? = nil,
    checks: Bool = false, ignoresReach: Bool = false,
    _ body: nonisolated(nonsending) (Exploration.Schedule) async -> Void
  ) async {
    let explorer = Explorer(
      budget: budget, search: search, seed: 1,
      settings: ScheduleRunner.Settings(
        faults: faults, ignoresReach: ignoresReach, forgottenRule: rule))
    explorer.checksRepeats = checks
    await explorer.search(body)
    result = explorer.result
    text = explorer.failureText
    hasReached = !explorer.runner.knowledge.reachedLines.isEmpty
  }

  /// The schedules of a feature without any mock.
  static func schedules(
    of feature: OrderedFeature, _ kind: (Exploration.Level) -> Exploration.Search, without rule: StepFacts.Rule? = nil
  )
    async -> [String]
  {
    var found: [String] = []
    // The model has no step between an action and the end of its run.
    let search = await ReducedSearch(kind(.steps), without: rule, ignoresReach: true) { schedule in
      var own = feature
      own.server = OrderedFeature.Server()
      let run = schedule.store(
        initialState: [], reducer: own,
        finally: { _ in
          found.append(ScheduleStep.text(of: schedule.runner.schedule.steps))
          return true
        })
      for action in feature.script { run.send(action) }
    }
    #expect(search.text == nil)
    return found
  }
}
