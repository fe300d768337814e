// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// The standing comparison: `complete` is true of real stores and of test stores.
///
/// ```sh
/// EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_FEATURES=10000 EFFECTS_COMPARE_RUNS=1000 EFFECTS_COMPARE_SEED=1 \
///   swift test -c release -Xswiftc -enable-testing --filter ComparisonTests
/// ```
struct ComparisonTests {
  @Test func `Outcomes of stores and test stores with random features are among those of complete explorations`() async
  {
    let size = Comparison.Size()
    var comparison = Comparison()
    for number in 0..<UInt64(size.features) {
      await comparison.compare(size.seed &* 1_000_000 &+ number, runs: size.runs)
      if comparison.problems.count >= 3 { break }
    }
    let first = size.seed &* 1_000_000
    Measured.print(
      """
      Compared \(comparison.features) features of seeds \(first)... (seed \(size.seed)): \(comparison.schedules) \
      schedules, \(comparison.explored) outcomes, \(comparison.seen) of them seen in \(comparison.storeRuns) runs of \
      stores and in one of a test store each; \(comparison.discarded) features discarded
      """)
    for problem in comparison.problems { Issue.record("\(problem)") }
    #expect(comparison.discarded * 5 <= comparison.features)
  }
}
