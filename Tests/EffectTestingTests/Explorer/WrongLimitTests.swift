// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Limits that leave nothing to explore, which must not look like a proof.
@Suite struct `Wrong limits of an exploration` {
  private func body(_ schedule: Exploration.Schedule) {
    schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }, always: { _ in false }).send(1)
  }

  @Test(arguments: [0, -3]) func `No schedule at all fails`(budget: Int) async {
    let account = await Account(schedules: budget) { body($0) }
    #expect(
      account.text == """
        `schedules: \(budget)` lets no schedule be run, so nothing was explored. Leave it out for 10,000, or let at least 1 \
        run.
        """)
    #expect(account.result.failure != nil && account.result.schedules == 0)
  }

  @Test(arguments: [0, -1]) func `No step at all fails`(steps: Int) async {
    let account = await Account(steps: steps) { body($0) }
    #expect(
      account.text == """
        `steps: \(steps)` cuts every schedule before anything has happened, so nothing was explored. Leave it out for 1,000, \
        or let at least 1 be taken.
        """)
    #expect(account.result.failure != nil)
  }

  @Test func `Fewer changes and preemptions than none are none`() async {
    for search in [Exploration.Search.priorities(changes: -4), .depthFirst(.everyJob, preemptions: -4)] {
      let account = await Account(schedules: 20, search: search) { body($0) }
      #expect(account.result.failure != nil, "it was looked all the same")
    }
  }

  @Test func `A fault at no suspension traps with the line`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Exploration.Fault.cancel("feed", atSuspension: 0, fileID: "AppTests/FeedTests.swift", line: 7)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let text = "Exploration.Fault.cancel: suspensions are counted from 1, not from 0"
    #expect(output.contains("AppTests/FeedTests.swift:7: Fatal error: \(text)\n"), "\(output)")
  }

  @Test(arguments: [Duration(attoseconds: .max), .seconds(Int64.max), .seconds(-5)])
  func `Any duration may pass in a script`(duration: Duration) async {
    let account = await Account(schedules: 200, faults: .anyOne(of: .delay("feed", by: duration))) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += 1
          return action == 0 ? .run(id: "feed") { send in send(1) } : .none
        })
      run.send(0)
      run.advance(by: duration)
      run.send(0)
      run.advance(by: duration)
      run.send(1)
    }
    #expect(account.text == nil && account.result.schedules == 200)
    #expect(!Exploration.Fault.delay("feed", by: duration).description.isEmpty)
  }
}
