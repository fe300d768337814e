// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// Real features against a model of their schedules: every class is visited, and once.
struct ReductionOracleTests {
  /// Features with so few schedules that all of them can be compared.
  private func features(_ seeds: Range<UInt64>) -> [(feature: OrderedFeature, classes: [String: String])] {
    seeds.compactMap { seed in
      let feature = OrderedFeature(seed: seed)
      return OrderModel.classes(of: feature, limit: 150).map { (feature, $0) }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `One schedule of each class of many random features is completed`(part: UInt64) async {
    let compared = features(part * 10_000..<part * 10_000 + UInt64(TestSize.of(320, short: 40)))
    var (schedules, completed) = (0, 0)
    for (feature, classes) in compared {
      let all = await ReducedSearch.schedules(of: feature, { .full($0) })
      #expect(all.sorted() == classes.keys.sorted(), "\(feature)")
      let reduced = await ReducedSearch.schedules(of: feature, { .reduced($0) })
      let found = reduced.compactMap { classes[$0] }
      #expect(found.count == reduced.count, "\(feature)")
      #expect(Set(found).count == found.count, "\(feature)")
      #expect(Set(found) == Set(classes.values), "\(feature)")
      schedules += all.count
      completed += reduced.count
    }
    #expect(compared.count >= TestSize.of(130, short: 10))
    #expect(completed * 2 < schedules)
    Measured.print("\(compared.count) features: \(schedules) schedules, \(completed) classes")
  }

  @Test(arguments: [StepFacts.Rule.scriptPosts, .jobsPost, .turnsPost, .jobsShareMemory, .turnsCancel, .turnsWake])
  func `A dependency that is forgotten is noticed`(rule: StepFacts.Rule) async {
    for (feature, classes) in features(0..<500) {
      let reduced = await ReducedSearch.schedules(of: feature, { .reduced($0) }, without: rule)
      if Set(reduced.compactMap { classes[$0] }) != Set(classes.values) { return }
    }
    Issue.record("\(rule) was forgotten, and no class is missing")
  }
}
