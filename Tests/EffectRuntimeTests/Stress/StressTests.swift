// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

/// Everything at once, from many threads, mainly for the sanitizers; see ``StressPlan`` for the long run.
@Suite struct StressTests {
  @Test
  func `Whatever sixteen threads do, each action is reduced once or dropped by a rule (T1, T2, T3, E1, E2, E7, O2)`()
    async
  {
    let plan = StressPlan.fromEnvironment
    let (clock, begin) = (ContinuousClock(), ContinuousClock().now)
    var counts = StressCounts()
    var heap: [Int] = []
    for round in 0..<plan.rounds {
      let arena = StressArena(plan, round: round)
      counts.add(await arena.run(round: round))
      for text in arena.findings.texts { Issue.record("seed \(plan.seed), round \(round): \(text)") }
      #expect(arena.findings.count == 0)
      guard plan.isAlone else { continue }
      // Waits as long as the runtime keeps cancelled sleeps.
      try? await clock.sleep(for: .milliseconds(200))
      heap.append(Allocations.bytesInUse)
    }
    // By the third round everything that is made only once has been made. Each round ends somewhere between 5 and 10 MB, as its
    // last stores do; but a leak would raise the lowest of them as well.
    if plan.isHeapOurs, Allocations.areCounted, let former = heap[2..<6].min(), let later = heap[6...].min() {
      #expect(later - former < 2 * 1_048_576, "\(heap)")
    }
    #expect(counts[.called] >= plan.runs)
    #expect(counts[.stores] == counts[.releases] + counts.shutdowns)
    Measured.print(
      """
      Stress: seed \(plan.seed), \(plan.threads) threads, \(plan.rounds) rounds, \(begin.duration(to: clock.now))
      \(counts.description)
        peak memory: \(Allocations.peakBytes / 1_048_576) MiB
        heap in use after each round: \(heap.map { "\($0 / 1_024)" }.joined(separator: ", ")) KiB
      """)
  }
}
