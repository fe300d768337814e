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
    var knowledge = SearchKnowledge()
  }

  /// Explores a feature, without anything that runs share.
  static func explore(
    _ feature: MeetingFeature, _ search: Exploration.Search, budget: Int = 4_000, checks: Bool = false,
    chooses: Bool = false, faults: Exploration.Faults = .none,
    always: ((MeetingFeature.State) -> Bool)? = nil
  ) async -> Found {
    var states: Set<String> = []
    let search = await SearchInTest(search, budget: budget, faults: faults, checks: checks) { schedule in
      schedule.sharesNothing()
      var feature = feature
      // SAFETY: all closures of a schedule are executed on the thread that plays it.
      nonisolated(unsafe) let numbers = schedule
      if chooses { feature.choose = { unsafe numbers.choose($0) } }
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
    return Found(result: search.result, text: search.text, states: states, knowledge: search.knowledge)
  }

  /// Closures that capture the state and are cancelled or replaced in most orders. A search that compared them only by their actions
  /// missed a final state of each.
  @Test(
    arguments: [
      (7_000_099, false), (7_000_135, false), (7_000_416, false), (7_000_680, false),
      // The feature keeps a window of time open, so no schedule reuses its store.
      (21, true),
    ] as [(UInt64, Bool)])
  func `Closures that capture the state and are mostly cancelled`(seed: UInt64, chooses: Bool) async {
    let feature = MeetingFeature(seed: seed)
    let full = await Self.explore(feature, .full(.answers), budget: 100_000, chooses: chooses)
    let states = await Self.explore(feature, .states(.answers), budget: 40_000, chooses: chooses)
    #expect(full.result.completeLevel == .answers)
    #expect(states.result.completeLevel == .answers)
    #expect(states.states == full.states)
  }

  @Test
  func `A schedule begins again behind a closure that is never called`() async {
    let search = await SearchInTest(.states(.steps), budget: 4_000) { schedule in
      schedule.sharesNothing()
      let script = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          return .run(id: "a", overlap: .restart) { send in
            send(1)
            send(2)
          }
        })
      for _ in 0..<2 { script.send(0) }
    }
    #expect(search.result.completeLevel == .steps, "\(search.result)")
  }

  /// Searches that join an active one with the same query, or start another one.
  private struct JoinedSearches: Reducer {
    struct State: Hashable, Sendable {
      var query = "a"
      var isNoted = false
      /// What was true when the second search began.
      var second: [Bool] = []
      var results = 0
    }

    enum Action: Equatable, Sendable { case begin, typed, noted, search(Int), found }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .begin: return .run { send in send(.typed) }
      case .typed: state.query = "b"
      case .noted: state.isNoted = true
      case .search(let number):
        if number == 2 { state.second = [state.query == "b", state.isNoted] }
        let search: Effect<Action> = .run(id: "search", overlap: .join, input: state.query) { _, send in send(.found) }
        return number == 1 ? .merge(search, .run { send in send(.noted) }) : search
      case .found: state.results += 1
      }
      return .none
    }
  }

  @Test
  func `What an effect says of a run beside its closure belongs to a state`() async {
    func ends(_ search: Exploration.Search) async -> Set<JoinedSearches.State> {
      var ends: Set<JoinedSearches.State> = []
      let search = await SearchInTest(search, budget: 40_000) { schedule in
        schedule.sharesNothing()
        let script = schedule.store(
          initialState: .init(), reducer: JoinedSearches(),
          finally: { state in
            ends.insert(state)
            return true
          })
        script.send(.begin)
        script.send(.search(1))
        script.send(.search(2))
      }
      #expect(search.result.completeLevel == .answers)
      return ends
    }
    let all = await ends(.full(.answers))
    #expect(await ends(.states(.answers)) == all)
  }

  /// Compares the final states of both searches. Returns of how many features: those with too many orders are left out.
  private func compare(
    _ level: Exploration.Level, size: Int = 3, chooses: Bool = false,
    faults: Exploration.Faults = .none
  ) async -> Int {
    var compared = 0
    for number in 0..<UInt64(Self.count) {
      let feature = MeetingFeature(seed: Self.seed &* 1_000_000 &+ number, size: size)
      let full = await Self.explore(feature, .full(level), chooses: chooses, faults: faults)
      guard full.result.completeLevel == level else { continue }
      let states = await Self.explore(feature, .states(level), budget: 40_000, chooses: chooses, faults: faults)
      #expect(states.result.completeLevel == level, "\(feature)")
      #expect(states.states == full.states, "\(feature)")
      compared += 1
    }
    return compared
  }

  @Test(arguments: [Exploration.Level.answers, .timers])
  func `Closures that report the captured state in some executions`(level: Exploration.Level) async {
    let compared = await compare(level, chooses: true)
    #expect(compared * 3 > Self.count)
    Measured.print("\(level): \(compared) features with choices")
  }

  @Test(arguments: [Exploration.Level.timers, .deliveries])
  func `Final states with a fault are those of all orders`(level: Exploration.Level) async {
    let compared = await compare(
      level, size: 1, faults: .anyOne(of: .duplicate("a"), .fail("b"), .delay("b", by: .seconds(2))))
    #expect(compared * 4 > Self.count)
    Measured.print("\(level): \(compared) features with a fault")
  }

  @Test(arguments: Exploration.Level.allCases)
  func `Final states and violations of random features are those of all orders`(level: Exploration.Level) async {
    var (compared, schedules, visited, runs) = (0, 0, 0, 0)
    for number in 0..<UInt64(Self.count) {
      let feature = MeetingFeature(seed: Self.seed &* 1_000_000 &+ number)
      let full = await Self.explore(feature, .full(level))
      guard full.result.completeLevel == level else { continue }
      let states = await Self.explore(feature, .states(level), budget: 40_000)
      #expect(states.text == nil, "\(feature)")
      #expect(states.result.completeLevel == level, "\(feature)")
      #expect(states.states == full.states, "\(feature)")
      // A part that a state lacks shows as closures that do something else than before, although nothing is shared.
      #expect(!states.result.hasSurprise, "\(feature)")
      #expect(feature.reportsState || !states.knowledge.capturesState, "\(feature)")
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
  }
}
