// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import TestSupport

@testable import EffectTesting

/// Random features, each explored completely and executed by real stores and by a test store. If one of these has an outcome that
/// the exploration lacks, one of the three has a defect.
struct Comparison {
  private(set) var features = 0
  /// Features with more schedules than the limit, and those whose runs block what they cause (rule O4). Nothing is known about
  /// them.
  private(set) var discarded = 0
  private(set) var schedules = 0
  /// The number of outcomes of the explorations, and how many of these a store had.
  private(set) var explored = 0
  private(set) var seen = 0
  private(set) var storeRuns = 0
  /// The problems, each with the feature and its seed.
  private(set) var problems: [String] = []

  static let most = 5_000

  mutating func compare(_ seed: UInt64, runs: Int) async {
    let feature = RandomFeature(seed: seed)
    features += 1
    var outcomes: Set<ComparedMocks.Outcome> = []
    let account = await Account(schedules: Self.most, search: .full(.steps)) { schedule in
      let mocks = ComparedMocks(feature)
      let script = schedule.store(
        initialState: [], reducer: ComparedFeature(feature: feature, mocks: mocks),
        finally: { state in
          outcomes.insert(mocks.outcome(state))
          return true
        })
      for action in feature.script { script.send(action) }
    }
    guard account.result.completeLevel == .steps else {
      discarded += 1
      let isLarge = account.text == nil && account.result.hasMore
      let isMistaken = account.text?.contains("run that causes it holds the slot") == true
      if !isLarge, !isMistaken { problems.append("Not explored: \(account.text ?? "\(account.result)")\n\(feature)") }
      return
    }
    schedules += account.result.completeCount
    explored += outcomes.count
    var found: Set<ComparedMocks.Outcome> = []
    func check(_ outcome: ComparedMocks.Outcome, of store: String) {
      guard found.insert(outcome).inserted, !outcomes.contains(outcome) else { return }
      let others = outcomes.map { "  \($0)" }.sorted().joined(separator: "\n")
      problems.append(
        """
        \(store) did what the complete exploration lacks: \(outcome), with
        \(feature)
        The \(outcomes.count) outcomes of \(account.result.completeCount) schedules:
        \(others)
        """)
    }
    for run in 0..<runs {
      check(await execute(feature, seed: seed &* 1_000_003 &+ UInt64(run)), of: "A store, in run \(run),")
      storeRuns += 1
    }
    let mocks = ComparedMocks(feature)
    let (state, failures) = await test(feature, mocks)
    for failure in failures { problems.append("A test store reports: \(failure)\n\(feature)") }
    check(mocks.outcome(state), of: "A test store")
    seen += found.intersection(outcomes).count
  }

  /// The last state of a test store, and what it has reported.
  private func test(_ feature: RandomFeature, _ mocks: ComparedMocks) async -> ([Int], [String]) {
    var state: [Int] = []
    let failures = await reportedFailures {
      let store = TestStore(initialState: [], reducer: ComparedFeature(feature: feature, mocks: mocks))
      store.exhaustivity = .off
      for action in feature.script { store.send(action) }
      store.skipReceived()
      await store.finish()
      state = store.state
    }
    return (state, failures)
  }

  private func execute(_ feature: RandomFeature, seed: UInt64) async -> ComparedMocks.Outcome {
    let pauses = Pauses(seed: seed)
    let mocks = ComparedMocks(feature, pause: { await pauses.pause() }, work: { pauses.work() })
    let store = Store(initialState: [], reducer: ComparedFeature(feature: feature, mocks: mocks))
    var tasks: [StoreTask] = []
    for action in feature.script {
      tasks.append(store.send(action))
      await pauses.pause()
    }
    for task in tasks { await task.finish() }
    // Closures of cancelled runs may not have returned.
    await store.shutdown(.draining)
    return mocks.outcome(await store.state)
  }

  /// Delays as on a real machine, from a seed as far as possible: the thread yields, or is busy for a while.
  private final class Pauses: Sendable {
    private let numbers: Lock<SeededNumbers>

    init(seed: UInt64) {
      numbers = Lock(SeededNumbers(seed: seed))
    }

    func pause() async {
      let (kind, length) = numbers.withLock { ($0.next(below: 4), $0.next(below: 200)) }
      switch kind {
      case 0: break
      case 1: await Task.yield()
      case 2:
        for _ in 0..<length % 4 { await Task.yield() }
      default: spend(length * 4)
      }
    }

    /// Keeps the thread, so that the store can act on another one. The pause must be long compared with the time that a thread needs
    /// to wake up.
    func work() {
      let (isLong, length) = numbers.withLock { ($0.next(below: 3) > 0, $0.next(below: 200)) }
      if isLong { spend(length * 400) }
    }

    private func spend(_ count: Int) {
      var mixed: UInt64 = 1
      for _ in 0..<count { mixed = mixed &* 6_364_136_223_846_793_005 &+ 1 }
      withExtendedLifetime(mixed) {}
    }
  }

  /// How many, from the environment; the defaults are the numbers of the gate, for which a debug build needs half a minute.
  struct Size {
    var features = TestSize.of(24, short: 12)
    var runs = 50
    var seed: UInt64 = 1

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
      if let text = environment["EFFECTS_COMPARE_FEATURES"], let number = Int(text) { features = number }
      if let text = environment["EFFECTS_COMPARE_RUNS"], let number = Int(text) { runs = number }
      if let text = environment["EFFECTS_COMPARE_SEED"], let number = UInt64(text) { seed = number }
    }
  }
}
