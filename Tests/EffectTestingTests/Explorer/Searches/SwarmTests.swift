// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Every second random schedule uses a random part of the generated actions.
@Suite struct SwarmTests {
  private enum Edit: Sendable { case push, pop, clear, trim }

  /// How many of 20 seeds find a stack of six: three of the four actions make it smaller.
  private func found(swarms: Bool) async -> Int {
    var count = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let explorer = Explorer(budget: 400, search: .random(.steps), seed: seed, settings: ScheduleRunner.Settings())
      explorer.phases[0].strategy = RandomWalk(seed: seed, swarms: swarms)
      await explorer.search { schedule in
        schedule.store(
          initialState: 0,
          reducer: Reduce<Int, Edit> { depth, edit in
            switch edit {
            case .push: depth += 1
            case .pop: depth = max(0, depth - 1)
            case .trim: depth = min(depth, 2)
            case .clear: depth = 0
            }
            return .none
          }, always: { $0 < 6 }
        ).send(anyOf: [.push, .pop, .trim, .clear], upTo: 10)
      }
      if explorer.result.failure != nil { count += 1 }
    }
    return count
  }

  @Test func `A state that needs many actions of one kind is found with a part of the actions`() async {
    let (plain, swarm) = (await found(swarms: false), await found(swarms: true))
    #expect(plain <= 5, "\(plain) of 20 seeds without parts")
    #expect(swarm >= 18, "\(swarm) of 20 seeds with parts")
  }

  @Test func `A part is not empty, and other searches use all actions`() {
    var walk = RandomWalk(seed: 1, swarms: true)
    var sizes: [Int?] = []
    for _ in 0..<1_000 {
      _ = walk.begin()
      sizes.append(walk.subset(of: 3)?.count)
    }
    #expect(Set(sizes) == [nil, 1, 2, 3])
    #expect(stride(from: 0, to: 1_000, by: 2).allSatisfy { sizes[$0] == nil })
    var plain = RandomWalk(seed: 1)
    _ = plain.begin()
    _ = plain.begin()
    #expect(plain.subset(of: 3) == nil)
    var exhaustive = DepthFirst()
    _ = exhaustive.begin()
    #expect(exhaustive.subset(of: 3) == nil)
  }
}
