// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Common bugs. Each is found after the stated number of schedules, and every schedule of its fixed version passes.
struct PlantedBugTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The number of schedules until the bug is found.
    let found: Int
    /// The shortest schedule that shows it.
    let schedule: String
    /// The result of the fixed version.
    let fixed: String
    var level = Exploration.Level.deliveries
    let body: @Sendable (Exploration.Schedule, _ isMended: Bool) -> Void

    var testDescription: String { name }
  }

  @Test(arguments: cases) func `A planted bug is found, and its fixed version passes all schedules`(planted: Case)
    async
  {
    let bug = await Account { schedule in planted.body(schedule, false) }
    #expect(bug.result.schedules == planted.found)
    #expect(bug.result.failure == planted.schedule)
    let fixed = await Account(search: .full(planted.level)) { schedule in planted.body(schedule, true) }
    #expect("\(fixed.result)" == planted.fixed)
  }

  static let cases = [
    Case(
      name: "stale search result", found: 1, schedule: "u u d d e0 d",
      fixed: "complete: deliveries (255)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: .init(), reducer: Queries(overlap: isMended ? .restart : .concurrent), always: Queries.isFresh)
      for query in 0..<3 { run.send(.typed(query)) }
    },
    Case(
      name: "lost update", found: 3, schedule: "u d e0 e0 e0 e0 e0 e0 e0 e0",
      fixed: "complete: steps (12)", level: .steps
    ) { schedule, isMended in
      let number = Shared(0)
      let run = schedule.store(
        initialState: 0, reducer: Bugs.update(Disk(number), atOnce: isMended), finally: { _ in number.value == 2 })
      run.send(.save)
    },
    Case(
      name: "double submit", found: 1, schedule: "u u d d e0 e0 d d", fixed: "complete: deliveries (6)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: .init(), reducer: Bugs.submit(isGuarded: isMended), finally: { $0.orders == 1 })
      run.send(.tap)
      run.send(.tap)
    },
    Case(
      name: "loading flag cleared by a stale error", found: 2, schedule: "u u d d e0 r0 e1 d",
      fixed: "complete: deliveries (23)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: .init(), reducer: Bugs.load(cancels: isMended),
        always: { !$0.hasFlickered })
      run.send(.load)
      run.send(.load)
    },
    Case(
      name: "more appended after a refresh", found: 4, schedule: "u u d d e1 e0 d d",
      fixed: "complete: deliveries (14)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: [1, 2], reducer: Bugs.feed(cancels: isMended), finally: { $0 == [1, 2] })
      run.send(.more)
      run.send(.refresh)
    },
    Case(
      name: "missed cancel at dismissal", found: 2, schedule: "u u d d e0 d",
      fixed: "complete: deliveries (8)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: [], reducer: Bugs.screen(cancels: isMended), always: { $0 != ["open", "dismiss", "loaded"] })
      run.send(.open)
      run.send(.dismiss)
    },
    Case(
      name: "timer fires after stop", found: 1, schedule: "u u d d e0 t0 e0 d",
      fixed: "complete: deliveries (19)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: .init(), reducer: Bugs.watch(cancels: isMended), always: { $0.lateTicks == 0 })
      run.send(.start)
      run.send(.stop)
    },
    Case(
      name: "retry after success", found: 2, schedule: "u d e0 e0 t0 e0 d d e0 d",
      fixed: "complete: deliveries (11)"
    ) { schedule, isMended in
      let run = schedule.store(initialState: 0, reducer: Bugs.retry(cancels: isMended), always: { $0 <= 1 })
      run.send(.save)
    },
    Case(
      name: "slot never freed after an error", found: 3, schedule: "u d e0 e0 e0 d",
      fixed: "complete: deliveries (9)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: 0, reducer: Bugs.queue(Door(), leavesAlways: isMended), requiring: [.noDeadlock()])
      run.send(.save)
    },
    Case(
      name: "two effects wait for each other", found: 1, schedule: "u d e0 e0",
      fixed: "complete: deliveries (2)"
    ) { schedule, isMended in
      let (left, right) = (Door(isOpen: false), Door(isOpen: false))
      let run = schedule.store(
        initialState: 0, reducer: Bugs.handshake(left, right, tellsFirst: isMended), requiring: [.noDeadlock()])
      run.send(.save)
    },
    Case(
      name: "request resumed twice", found: 1, schedule: "u d e0 e0 t0 e0 d d",
      fixed: "complete: deliveries (7)"
    ) { schedule, isMended in
      let run = schedule.store(
        initialState: 0, reducer: Bugs.request(Shared(false), checks: isMended), always: { $0 <= 1 })
      run.send(.save)
    },
  ]

  @Test func `A cancel that is checked only when a run sends leaves 155 of 283 schedules stale`() async {
    let bug = await Account(search: .full(.deliveries), countsFailures: true) { schedule in
      let run = schedule.store(
        initialState: .init(), reducer: Bugs.checkedAtSend(Shared(-1)), finally: { !$0.isStale })
      for query in 0..<3 { run.send(.typed(query)) }
    }
    #expect(bug.result.schedules == 283)
    #expect(bug.result.failures == 155)
    let fixed = await Account(search: .full(.deliveries), countsFailures: true) { schedule in
      let run = schedule.store(
        initialState: .init(), reducer: Bugs.checkedAtSend(Shared(-1), andWhenTaken: true), finally: { !$0.isStale })
      for query in 0..<3 { run.send(.typed(query)) }
    }
    #expect("\(fixed.result)" == "complete: deliveries (283)")
    #expect(fixed.result.failures == 0)
  }

  @Test func `A lost update is found only if every job is a choice`() async {
    for (level, schedules, failures) in [(Exploration.Level.deliveries, 2, 0), (.steps, 76, 56)] {
      let bug = await Account(search: .full(level), countsFailures: true) { schedule in
        let number = Shared(0)
        let run = schedule.store(
          initialState: 0, reducer: Bugs.update(Disk(number), atOnce: false), finally: { _ in number.value == 2 })
        run.send(.save)
      }
      #expect(bug.result.schedules == schedules)
      #expect(bug.result.failures == failures)
    }
  }
}
