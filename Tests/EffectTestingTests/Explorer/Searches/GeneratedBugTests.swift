// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The planted bugs whose property holds for any script. They are found from their actions alone.
@Suite struct GeneratedBugTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let body: @Sendable (Exploration.Schedule, _ isFixed: Bool) -> Void

    var testDescription: String { name }
  }

  @Test(arguments: cases)
  func `A planted bug is found without a script, and its fixed version passes`(planted: Case) async {
    var lengths: [Int] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let account = await Account(schedules: 1_000, seed: seed) { planted.body($0, false) }
      guard account.result.failure != nil else { continue }
      lengths.append(account.text?.split(separator: "\n").count { $0.hasPrefix("  run.send(") } ?? 0)
    }
    lengths.sort()
    #expect(lengths.count >= 18, "found by \(lengths.count) of 20 seeds")
    #expect(lengths.first ?? 0 >= 1 && lengths[lengths.count / 2] <= 3, "lengths of the scripts: \(lengths)")
    let fixed = await Account(schedules: 1_000) { planted.body($0, true) }
    #expect(fixed.text == nil)
  }

  static let cases = [
    Case(name: "stale search result") { schedule, isFixed in
      schedule.store(
        initialState: .init(), reducer: Queries(overlap: isFixed ? .restart : .concurrent), always: Queries.isFresh
      ).send(anyOf: [.typed(0), .typed(1), .typed(2)], upTo: 4)
    },
    Case(name: "double submit") { schedule, isFixed in
      schedule.store(initialState: .init(), reducer: Bugs.submit(isGuarded: isFixed), always: { $0.orders <= 1 })
        .send(anyOf: [.tap], upTo: 4)
    },
    Case(name: "loading flag cleared by a stale error") { schedule, isFixed in
      schedule.store(
        initialState: .init(), reducer: Bugs.load(isFixed ? .restart : .concurrent), always: { !$0.hasFlickered }
      ).send(anyOf: [.load], upTo: 4)
    },
    Case(name: "more appended after a refresh") { schedule, isFixed in
      schedule.store(
        initialState: [1, 2], reducer: Bugs.feed(cancels: isFixed), always: { $0 == Array(1..<$0.count + 1) }
      ).send(anyOf: [.refresh, .more], upTo: 4)
    },
    Case(name: "missed cancel at dismissal") { schedule, isFixed in
      schedule.store(
        initialState: [], reducer: Bugs.screen(cancels: isFixed), always: { $0 != ["open", "dismiss", "loaded"] }
      ).send(anyOf: [.open, .dismiss], upTo: 4)
    },
  ]
}
