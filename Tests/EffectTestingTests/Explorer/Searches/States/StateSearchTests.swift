// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import TestSupport
import Testing

@testable import EffectTesting

/// A search of states finds what a search of all orders finds.
///
/// ```sh
/// EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_STATES=10000 EFFECTS_COMPARE_SEED=1 \
///   swift test -c release -Xswiftc -enable-testing --filter StateSearchTests
/// ```
struct StateSearchTests {
  static let count = environment("EFFECTS_COMPARE_STATES") ?? TestSize.of(9, short: 6)
  static let seed = UInt64(environment("EFFECTS_COMPARE_SEED") ?? 0)

  private static func environment(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  struct Found {
    var result: Exploration
    var text: String?
    var states: Set<String> = []
  }

  /// Explores a feature, without anything that runs share.
  static func explore(
    _ feature: MeetingFeature, _ search: Exploration.Search, budget: Int = 4_000, checks: Bool = false,
    always: ((MeetingFeature.State) -> Bool)? = nil
  ) async -> Found {
    var states: Set<String> = []
    let search = await SearchInTest(search, budget: budget, checks: checks) { schedule in
      schedule.sharesNothing()
      let script = schedule.store(
        initialState: .init(), reducer: feature, always: always,
        finally: { state in
          states.insert(ValueText.of(state))
          return true
        })
      for (place, number) in feature.script.enumerated() {
        if place == 1, let seconds = feature.advance { script.advance(by: .seconds(seconds)) }
        script.send(.go(number))
      }
    }
    return Found(result: search.result, text: search.text, states: states)
  }

  /// Likewise as a test does: with random schedules before the search of states, and behind it.
  private static func exploreAsTestsDo(_ feature: MeetingFeature, _ level: Exploration.Level) async -> Set<String> {
    var states: Set<String> = []
    let result = await EffectTesting.explore(
      initialState: .init(), reducer: feature, budget: .schedules(40_000), options: .init(upTo: level)
    ) { script in
      for (place, number) in feature.script.enumerated() {
        if place == 1, let seconds = feature.advance { script.advance(by: .seconds(seconds)) }
        script.send(.go(number))
      }
    } finally: { state in
      states.insert(ValueText.of(state))
      return true
    }
    #expect(result.completeLevel == level, "\(feature): \(result)")
    return states
  }

  @Test(arguments: Exploration.Level.allCases)
  func `Final states and violations of random features are those of all orders`(level: Exploration.Level) async {
    var (compared, schedules, visited, runs, missed) = (0, 0, 0, 0, 0)
    for number in 0..<UInt64(Self.count) {
      let feature = MeetingFeature(seed: Self.seed &* 1_000_000 &+ number)
      let full = await Self.explore(feature, .full(level))
      guard full.result.completeLevel == level else { continue }
      let states = await Self.explore(feature, .states(level), budget: 40_000)
      #expect(states.text == nil, "\(feature)")
      #expect(states.result.completeLevel == level, "\(feature)")
      if states.states != full.states {
        // A closure that captures the state, and is executed in few orders only. The random schedules of an exploration show it.
        missed += 1
        let all = await Self.exploreAsTestsDo(feature, level)
        #expect(all == full.states, "\(level) \(feature)")
      }
      compared += 1
      schedules += full.result.schedules
      visited += states.result.completed.last?.states ?? 0
      runs += states.result.spent
      // A state that is reached on the way.
      let bound = (full.states.count + Int(number)) % 7 * 50
      let broken = await Self.explore(feature, .full(level)) { $0.sum % 1_000 != bound || $0.sum == 0 }
      let found = await Self.explore(feature, .states(level)) { $0.sum % 1_000 != bound || $0.sum == 0 }
      #expect((broken.result.failures > 0) == (found.result.failures > 0), "\(bound) of \(feature)")
    }
    #expect(compared * 3 > Self.count)
    Measured.print("\(level): \(compared) features, \(schedules) orders; \(visited) states, \(runs) schedules")
    Measured.print("\(level): \(missed) of them only with random schedules before")
  }
}
