// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// The planted bugs, each found from its actions alone, with properties that hold for any script.
@Suite struct GeneratedBugTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let body: @Sendable (Exploration.Schedule, _ isFixed: Bool) -> Void

    var testDescription: String { name }
  }

  @Test(arguments: cases)
  func `A planted bug is found without a script, and its fixed version passes`(planted: Case) async {
    var lengths: [Int] = []
    let seeds = TestSize.of(20, short: 5)
    for seed in 1...UInt64(seeds) {
      let account = await Account(schedules: 1_000, seed: seed) { planted.body($0, false) }
      guard account.result.failure != nil else { continue }
      lengths.append(account.text?.split(separator: "\n").count { $0.hasPrefix("  script.send(") } ?? 0)
    }
    lengths.sort()
    #expect(lengths.count >= seeds - seeds / 10, "found by \(lengths.count) of \(seeds) seeds")
    #expect(lengths.first ?? 0 >= 1 && lengths[lengths.count / 2] <= 3, "lengths of the scripts: \(lengths)")
    let fixed = await Account(schedules: 1_000) { planted.body($0, true) }
    #expect(fixed.text == nil)
  }

  @Test func `Each planted bug has such a case`() {
    let names = PlantedBugTests.cases.map(\.name)
    #expect(Set(Self.cases.map(\.name)) == Set(names + ["cancel checked only when a run sends"]))
  }

  static let cases = [
    Case(name: "stale search result") { schedule, isFixed in
      schedule.store(
        initialState: .init(), reducer: Queries(overlap: isFixed ? .restart : .concurrent), always: Queries.isFresh
      ).send(anyOf: .values(0...9).map(Queries.Action.typed), upTo: 4)
    },
    Case(name: "lost update") { schedule, isFixed in
      let number = Shared(0)
      schedule.store(
        initialState: 0, reducer: Bugs.update(Disk(number), atOnce: isFixed), finally: { number.value == $0 * 2 }
      ).send(anyOf: [.save], upTo: 3)
    },
    Case(name: "double submit") { schedule, isFixed in
      schedule.store(initialState: .init(), reducer: Bugs.submit(isGuarded: isFixed), always: { $0.orders <= 1 })
        .send(anyOf: [.tap], upTo: 4)
    },
    Case(name: "loading flag cleared by a stale error") { schedule, isFixed in
      schedule.store(
        initialState: .init(), reducer: Bugs.load(cancels: isFixed), always: { !$0.hasFlickered }
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
    Case(name: "timer fires after stop") { schedule, isFixed in
      schedule.store(initialState: .init(), reducer: Bugs.watch(cancels: isFixed), always: { $0.lateTicks == 0 })
        .send(anyOf: [.start, .stop], upTo: 4)
    },
    // The property is about one save.
    Case(name: "retry after success") { schedule, isFixed in
      schedule.store(initialState: 0, reducer: Bugs.retry(cancels: isFixed), always: { $0 <= 1 })
        .send(anyOf: [.save], upTo: 1)
    },
    Case(name: "slot never freed after an error") { schedule, isFixed in
      schedule.store(
        initialState: 0, reducer: Bugs.queue(Door(), leavesAlways: isFixed), requiring: [.noDeadlock()]
      ).send(anyOf: [.save], upTo: 2)
    },
    Case(name: "two effects wait for each other") { schedule, isFixed in
      let (left, right) = (Door(isOpen: false), Door(isOpen: false))
      schedule.store(
        initialState: 0, reducer: Bugs.handshake(left, right, tellsFirst: isFixed), requiring: [.noDeadlock()]
      ).send(anyOf: [.save], upTo: 2)
    },
    Case(name: "request resumed twice") { schedule, isFixed in
      schedule.store(initialState: 0, reducer: Bugs.request(Shared(false), checks: isFixed), always: { $0 <= 1 })
        .send(anyOf: [.save], upTo: 3)
    },
    Case(name: "cancel checked only when a run sends") { schedule, isFixed in
      schedule.store(
        initialState: .init(), reducer: Bugs.checkedAtSend(Shared(-1), andWhenTaken: isFixed), always: { !$0.isStale }
      ).send(anyOf: .values(0...9).map(Queries.Action.typed), upTo: 4)
    },
  ]
}
