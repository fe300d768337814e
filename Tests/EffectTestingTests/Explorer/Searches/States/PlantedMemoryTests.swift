// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import EffectTesting

/// A search of states is never complete without what all orders show, whatever the closures share.
@Suite struct PlantedMemoryTests {
  private static let all: [PlantedMemory] = PlantedMemory.ofBodies + PlantedMemory.ofReductions

  private func seen(
    _ planted: PlantedMemory, _ search: Exploration.Search, budget: Int, seed: UInt64 = 1
  ) async -> (seen: Set<String>, isComplete: Bool, text: String?) {
    let seen = PlantedMemory.Seen([])
    let explorer = Explorer(budget: budget, search: search, seed: seed, settings: ScheduleRunner.Settings())
    await explorer.search { planted.body($0, seen) }
    return (seen.value, explorer.result.completeLevel != nil, explorer.failureText)
  }

  // The seed chooses the random schedules at the end of a search. `EFFECTS_MEMORY_SEEDS=100` tries more.
  @Test(arguments: all.map(\.name))
  func `A complete search has seen what all orders show`(name: String) async throws {
    let planted = try #require(Self.all.first { $0.name == name })
    let seeds = ProcessInfo.processInfo.environment["EFFECTS_MEMORY_SEEDS"].flatMap(Int.init) ?? 1
    for level in Exploration.Level.allCases {
      // Where there are too many orders, those that were tried must be among the explored ones.
      let orders = await seen(planted, .full(level), budget: 1_000)
      for seed in 1...UInt64(seeds) {
        let states = await seen(planted, .states(level), budget: 50_000, seed: seed)
        #expect(states.text == nil && states.isComplete, "\(level), seed \(seed)")
        #expect(states.seen.isSuperset(of: orders.seen), "\(level), seed \(seed)")
        if orders.isComplete { #expect(states.seen == orders.seen, "\(level), seed \(seed)") }
      }
    }
  }
}
