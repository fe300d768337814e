// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct SharedRunsTests {
  @Test func `Joiners are listed in the order in which they joined, separately for each run (O1)`() {
    var runs = SharedRuns()
    #expect(runs.isEmpty)
    #expect(!runs.hasJoiners(1))
    #expect(runs.firstJoiner(of: 1) == nil)
    for (joiner, run) in [(10, 1), (20, 2), (11, 1), (12, 1)] as [(Int32, Int32)] { runs.join(joiner, to: run) }
    #expect(runs.joiners(of: 1) == [10, 11, 12])
    #expect(runs.joiners(of: 2) == [20])
    #expect(runs.joiners(of: 3) == [])
    #expect(runs.firstJoiner(of: 1) == 10)
    #expect(runs.firstJoiner(of: 3) == nil)
    #expect(runs.hasJoiners(2))
    #expect(!runs.hasJoiners(3))
  }

  @Test(arguments: [[10, 11, 12], [12, 11, 10], [11, 10, 12], [11, 12, 10]] as [[Int32]])
  func `Joiners leave in any order, and with the last nothing is left`(order: [Int32]) {
    var runs = SharedRuns()
    for joiner: Int32 in 10...12 { runs.join(joiner, to: 1) }
    var rest: [Int32] = [10, 11, 12]
    for joiner in order {
      runs.leave(joiner, from: 1)
      rest.removeAll { $0 == joiner }
      #expect(runs.joiners(of: 1) == rest)
      #expect(runs.firstJoiner(of: 1) == rest.first)
      #expect(runs.isShared(1) == !rest.isEmpty)
    }
    #expect(runs.isEmpty)
    // The slots are used again, by what joins another run.
    runs.join(11, to: 2)
    #expect(runs.joiners(of: 2) == [11])
    #expect(!runs.hasJoiners(1))
  }

  @Test func `A run has one share until it is removed`() {
    var runs = SharedRuns()
    #expect(runs.removeShare(of: 1) == nil)
    runs.setShare(7, of: 1)
    #expect(runs.share(of: 1) == 7)
    #expect(runs.share(of: 7) == nil)
    #expect(runs.isShared(1))
    #expect(runs.isEmpty, "a share is no joiner")
    #expect(runs.removeShare(of: 2) == nil)
    #expect(runs.removeShare(of: 1) == 7)
    #expect(runs.removeShare(of: 1) == nil)
    #expect(!runs.isShared(1))
  }
}
