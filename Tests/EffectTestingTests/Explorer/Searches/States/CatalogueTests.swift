// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import EffectTesting

/// The planted bugs, by all orders and by states.
@Suite struct CatalogueTests {
  /// One row of the table.
  private struct Row {
    /// How many schedules were run until the bug was found.
    var found: Int
    /// How many schedules of the fixed version were run to their ends.
    var fixed: Int
    var seconds: Double
  }

  private func row(_ planted: PlantedBugTests.Case, _ kind: (Exploration.Level) -> Exploration.Search) async -> Row {
    let beginning = ContinuousClock.now
    let bug = await SearchInTest(kind(.steps)) { planted.body($0, false) }
    let fixed = await SearchInTest(kind(planted.level)) { planted.body($0, true) }
    let time = (ContinuousClock.now - beginning) / .seconds(1)
    #expect(bug.result.failure != nil, "\(planted.name)")
    #expect(fixed.text == nil && fixed.result.completeLevel == planted.level, "\(planted.name)")
    return Row(found: bug.result.schedules, fixed: fixed.result.completeCount, seconds: time)
  }

  @Test func `Each planted bug is found by a search of states`() async {
    var lines = [
      "| bug | found by, all | found by, states | schedules, all | schedules, states | s, all | s, states |",
      "|---|---|---|---|---|---|---|",
    ]
    let isTable = ProcessInfo.processInfo.environment["EFFECTS_CATALOGUE"] != nil
    for planted in PlantedBugTests.cases {
      let reduced = await row(planted) { .states($0) }
      // `PlantedBugTests` tries all orders.
      guard isTable else { continue }
      let full = await row(planted) { .full($0) }
      let times = [full.seconds, reduced.seconds].map { String(format: "%.3f", $0) }.joined(separator: " | ")
      lines.append(
        "| \(planted.name) | \(full.found) | \(reduced.found) | \(full.fixed) | \(reduced.fixed) | \(times) |")
    }
    if isTable { print(lines.joined(separator: "\n")) }
  }
}
