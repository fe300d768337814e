// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// Limits with which nothing is explored. The result must not look like a proof.
@Suite struct `Wrong limits of an exploration` {
  private func body(_ schedule: Exploration.Schedule) {
    schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }, always: { _ in false }).send(1)
  }

  @Test(arguments: [0, -3]) func `A limit of no schedules fails`(budget: Int) async {
    let account = await Account(schedules: budget) { body($0) }
    #expect(
      account.text == """
        `budget: .schedules(\(budget))` lets no schedule be run, so nothing was explored. Leave it out (the default is \
        `.schedules(10_000)`), or write a larger one.
        """)
    #expect(account.result.failure != nil && account.result.schedules == 0)
  }

  @Test(arguments: [0, -1]) func `A limit of no steps fails`(steps: Int) async {
    let account = await Account(steps: steps) { body($0) }
    #expect(
      account.text == """
        `options: .init(steps: \(steps))` cuts every schedule before anything has happened, so nothing was explored. Leave it out (the \
        default is 1,000), or write 1 or more.
        """)
    #expect(account.result.failure != nil)
  }

  /// Ticks for ever, unless an action below zero stops it.
  private func ticking(
    _ schedule: Exploration.Schedule, requiring requirements: [Exploration.Requirement<Int>] = [], later: Int? = nil,
    eventually: ((Int) -> Bool)? = nil, finally: ((Int) -> Bool)? = nil
  ) {
    let run = schedule.store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += action
        if action < 0 { return .cancel(id: "timer") }
        return action > 0 ? .none : .timer(id: "timer", overlap: .restart, every: .seconds(1)) { _ in 1 }
      }, requiring: requirements, eventually: eventually, finally: finally)
    run.send(0)
    if let later { run.send(later) }
  }

  @Test func `A condition for the end fails if no schedule reaches an end, and names the limit`() async {
    let account = await Account(schedules: 50, search: .full(.deliveries), deadlines: 4) {
      ticking($0, finally: { _ in true })
    }
    #expect(
      account.text == """
        `finally:`, or a requirement about the end, was never checked, because no schedule reached its end: the \
        one schedule was cut at 4 deadlines.

        Let the script cancel what does not end by itself, such as a timer, or raise `deadlines:` of `options:`. Use `always:` for a \
        condition that must hold after each reduction.
        """)
    #expect(account.result.failure == "")
    for requirement in [.nothingRunsAtTheEnd, .cancellationIsHeeded, Exploration.Requirement<Int>.noDeadlock()] {
      let account = await Account(schedules: 5, search: .random(.steps), deadlines: 4) {
        ticking($0, requiring: [requirement])
      }
      #expect(
        account.text?.hasPrefix(
          """
          `finally:`, or a requirement about the end, was never checked, because no schedule reached its end: all \
          5 schedules were cut at 4 deadlines.
          """) == true, "\(account.text ?? "")")
    }
  }

  @Test(arguments: [Exploration.Search.random(.steps), .full(.deliveries)])
  func `A condition that never holds before each schedule is cut fails`(search: Exploration.Search) async {
    let account = await Account(schedules: 5, search: search, deadlines: 4) { ticking($0, eventually: { $0 > 100 }) }
    #expect(account.text?.hasPrefix("`eventually` has never held, and no schedule reached its end: ") == true)
    #expect(account.text?.contains(" cut at 4 deadlines.\n\nIt may still hold after the limit. ") == true)
  }

  @Test func `A condition that holds before the cut, or is checked in other schedules, does not fail`() async {
    let held = await Account(schedules: 5, search: .random(.steps), deadlines: 4) {
      ticking($0, eventually: { $0 == 2 })
    }
    #expect(held.text == nil && held.result.cut == 5)
    // It holds only if the other action is reduced before the timer is cut.
    let sometimes = await Account(schedules: 500, search: .random(.steps), deadlines: 1) {
      ticking($0, later: 7, eventually: { $0 >= 7 })
    }
    #expect(sometimes.text == nil && sometimes.result.cut == 500)
    let always = await Account(schedules: 5, search: .random(.steps), deadlines: 4) {
      ticking($0, requiring: [.nothingDropped, .isRunning("timer", while: { $0 > 0 })])
    }
    #expect(always.text == nil && always.result.cut == 5)
    let stopped = await Account(search: .full(.deliveries), deadlines: 4) {
      ticking($0, later: -9, finally: { $0 < 0 })
    }
    #expect(stopped.text == nil && stopped.result.cut > 0)
  }

  @Test func `A cancel of the script that matches nothing in any schedule fails`() async {
    func explored(_ ids: [EffectID]) async -> Account {
      await Account { schedule in
        let run = schedule.store(
          initialState: 0,
          reducer: Reduce<Int, Int> { state, action in
            state += action
            return action > 0 ? .none : .run(id: "load", overlap: .restart) { send in send(1) }
          })
        run.send(0)
        for id in ids { run.cancel(id) }
      }
    }
    let missed = await explored(["load", "laod"])
    #expect(
      missed.text == """
        `cancel("laod")` of the script matched nothing in \(Exploration.count(missed.result.schedules, "schedule")).

        Is that the id the reducer gives, with the scope it lies in (`EffectID("load").scoped(by: "feed")`), and does the \
        script lead to such a run before?
        """)
    #expect(missed.result.failure == "")
    // In some schedules it comes before the run has ended.
    let matched = await explored(["load"])
    #expect(matched.text == nil && matched.result.completeLevel != nil)
  }

  @Test func `A script that sends nothing fails`() async {
    let account = await Account {
      _ = $0.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }, always: { _ in false })
    }
    #expect(
      account.text == """
        The script sends nothing, so nothing was explored. Call `send` on what `schedule.store` returns, once for \
        each action whose order matters.
        """)
    #expect(account.result.failure == "")
  }

  @Test func `A script that only lets time pass fails`() async {
    let account = await Account {
      let run = $0.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }, always: { _ in false })
      run.advance(by: .seconds(1))
    }
    #expect(account.text?.hasPrefix("The script sends nothing, so nothing was explored.") == true)
  }

  @Test func `Fewer deadlines than none, and no fault at all, fail`() async {
    let deadlines = await Account(deadlines: -1) { body($0) }
    #expect(
      deadlines.text == """
        `options: .init(deadlines: -1)` cuts every schedule before anything has happened, so nothing was explored. Leave it out (the \
        default is 20), or write 0 or more.
        """)
    let faults = await Account(faults: .any(0, of: .hang("timer"))) { ticking($0) }
    #expect(
      faults.text == """
        `faults: .any(0, of: .hang("timer"))` injects no fault. Allow at least one, or write `.none`.
        """)
    for account in [deadlines, faults] { #expect(account.result.failure == "" && account.result.schedules == 0) }
  }

  @Test func `A cancelled task stops its exploration`() async {
    let number = Tally()
    let task = Task {
      await Account(schedules: 100_000, search: .random(.steps)) { schedule in
        number.increment()
        if number.value == 7 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        body(schedule)
      }
    }
    let result = await task.value.result
    #expect(result.schedules <= 7 && number.value <= 10)
  }

  @Test func `A negative number of changes counts as zero`() async {
    let account = await Account(schedules: 20, search: .priorities(.steps, changes: -4)) { body($0) }
    #expect(account.result.failure != nil, "the search took place nevertheless")
  }

  @Test func `A fault at no suspension traps with the line`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Exploration.Fault.cancel("feed", atSuspension: 0, fileID: "AppTests/FeedTests.swift", line: 7)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let text = "Exploration.Fault.cancel: suspensions are counted from 1, not from 0"
    #expect(output.contains("AppTests/FeedTests.swift:7: Fatal error: \(text)\n"), "\(output)")
  }

  @Test(arguments: [Duration(attoseconds: .max), .seconds(Int64.max)])
  func `The wait for work outside may have any duration (C1)`(wait: Duration) async {
    let account = await Account(schedules: 1, externalWait: wait) { schedule in
      schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { _, action in
          guard action == 0 else { return .none }
          return .run(id: "out", overlap: .concurrent) { send in
            // Real time, so that the explorer does wait.
            let task = Task.detached {
              try? await ContinuousClock().sleep(for: .milliseconds(20))
              _ = send(1)
            }
            await task.value
          }
        }
      ).send(0)
    }
    #expect(!account.result.gaps.isEmpty)
  }

  @Test(arguments: [Duration(attoseconds: .max), .seconds(Int64.max), .seconds(-5)])
  func `Any duration may pass in a script`(duration: Duration) async {
    let account = await Account(schedules: 200, faults: .anyOne(of: .delay("feed", by: duration))) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += 1
          return action == 0 ? .run(id: "feed", overlap: .concurrent) { send in send(1) } : .none
        })
      run.send(0)
      run.advance(by: duration)
      run.send(0)
      run.advance(by: duration)
      run.send(1)
    }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == .steps || account.result.schedules + account.result.redundant == 200)
    #expect(!Exploration.Fault.delay("feed", by: duration).description.isEmpty)
  }
}
