// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// An exploration that reports no issues. It can go on after a failure, to count all failures.
struct Account {
  let result: Exploration
  let text: String?
  /// How often the exploration waited for a run in real time without a result.
  let waits: Int

  init(
    schedules: Int = 100_000, search: Exploration.Search = .levels(upTo: .steps),
    faults: Exploration.Faults = .none, seed: UInt64 = 1, steps: Int = 1_000, deadlines: Int = 20,
    countsFailures: Bool = false, replaying: String? = nil, externalWait: Duration? = nil,
    _ body: nonisolated(nonsending) (Exploration.Schedule) async -> Void
  ) async {
    let explorer = Explorer(
      budget: schedules, search: search, seed: seed,
      settings: ScheduleRunner.Settings(
        stepLimit: steps, deadlineLimit: deadlines, faults: faults))
    explorer.countsFailures = countsFailures
    if let externalWait { explorer.externalWait = externalWait }
    if let replaying { await explorer.replay(replaying, body) } else { await explorer.search(body) }
    result = explorer.result
    text = explorer.failureText
    waits = explorer.waitCount
  }
}

extension Exploration.Options {
  /// One search instead of all levels.
  init(
    search: Exploration.Search, seed: UInt64 = 1, steps: Int = 1_000, deadlines: Int = 20, carrying: [CarriedValue] = []
  ) {
    self.init(seed: seed, steps: steps, deadlines: deadlines, carrying: carrying)
    self.search = search
  }
}

extension Exploration {
  /// How many schedules the highest level has that is complete.
  var completeCount: Int { completed.last?.schedules ?? 0 }
}
