// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// The rules, checked with every order of random small programs.
struct SmallProgramTests {
  @Test(arguments: 1..<5 as Range<UInt64>)
  func `Every order of small programs keeps the rules (T2) (T3) (T4) (E1) (E2) (E6) (O1)`(part: UInt64) async {
    var schedules = 0
    for seed in 0..<TestSize.of(40, short: 10) {
      let program = SmallProgram(seed: part &* 1_000 &+ UInt64(seed), leaves: 3)
      var broken: String?
      let account = await Account(search: .full(.deliveries)) { schedule in
        let run = schedule.store(
          initialState: [], reducer: program.reducer, requiring: [.nothingRunsAtTheEnd, .noDeadlock()],
          finally: { order in
            broken = program.violation(of: order) ?? broken
            return broken == nil
          })
        run.send(1_000)
        run.send(1_001)
      }
      #expect(account.result.completeLevel == .deliveries, "\(program): \(broken ?? "") \(account.text ?? "")")
      schedules += account.result.completeCount
    }
    #expect(schedules > TestSize.of(1_000, short: 200))
  }

  @Test func `A violation of the rules would be found`() {
    let program = SmallProgram(seed: 1_003, leaves: 3)
    #expect(program.violation(of: [1_001, 1_000]) != nil)
  }
}
