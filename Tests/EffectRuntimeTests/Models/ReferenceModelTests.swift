// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Random programs, step by step, by the scheduler and by the model: 1,000,000 steps and more in a release build, a
/// twentieth of that in a debug build with long sizes.
@Suite struct ReferenceModelTests {
  @Test(arguments: 0..<UInt64(TestSize.of(20, short: 5)))
  func `The engine does what the model does, step by step (T3, T4, E1, E2, E3, E6, O1, O2, L2, S1, V1)`(
    seed: UInt64
  ) {
    #if DEBUG
      let rounds = 50
    #else
      let rounds = 1_000
    #endif
    var (steps, abandoned) = (0, 0)
    for round in 0..<rounds {
      let program = ModelProgram(seed: seed &* 1_000_003 &+ UInt64(round))
      guard program.run(steps: 60) else {
        Issue.record("\(ModelShrinking(program))")
        return
      }
      steps += program.steps
      if program.isAbandoned { abandoned += 1 }
    }
    Measured.print("ReferenceModel: seed \(seed), \(steps) steps, \(abandoned) of \(rounds) programs abandoned")
    #expect(steps >= 50 * rounds, "programs that end early prove little")
    #expect(abandoned * 5 < rounds, "\(abandoned) programs reached an order that is not promised")
  }
}
