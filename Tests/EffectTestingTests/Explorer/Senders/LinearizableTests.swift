// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// Requests of several senders, compared with a specification.
@Suite struct LinearizableTests {
  private func bank(_ schedule: Exploration.Schedule, isStale: Bool) {
    Bank.use(schedule.store(initialState: Bank.State(), reducer: Bank(isStale: isStale)))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `A store that answers from a stale copy is not linearizable, within 100 schedules`(seed: UInt64) async {
    let account = await Account(schedules: 100, seed: seed) { bank($0, isStale: true) }
    #expect(account.text?.hasPrefix("The answers are not linearizable") == true, "\(account.text ?? "nothing")")
    #expect(account.result.schedules <= 100)
  }

  @Test func `The history is drawn, with the order that goes furthest`() async {
    let account = await Account { bank($0, isStale: true) }
    let text = account.text ?? "nothing"
    #expect(
      text.hasPrefix(
        """
        The answers are not linearizable: no order of the requests gives these answers, if a request that was answered before \
        another one was made comes before it.

        ann             bob
        ┬ .deposit(5)
        │               ┬ .deposit(1)
        ┴ nil           │
        ┬ .read         │
        ┴ 0             │

        ┬ makes a request   ┴ has its answer

        The order that goes furthest: `.deposit(5)` answers nil, then `.deposit(1)` is not answered. Next:
          `.read` of ann has answered 0, and must answer 6.

        Found by schedule
        """), "\(text)")
    #expect(text.contains("replaying: \"u1 "), "\(text)")
  }

  @Test func `The correct store is complete`() async {
    let account = await Account(search: .full(.steps)) { bank($0, isStale: false) }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == .steps)
    #expect(account.result.completeCount > 100)
  }

  @Test func `The failure is replayed by its line, and is as short as the bug allows`() async {
    let found = await Account { bank($0, isStale: true) }
    let replayed = await Account(replaying: found.result.failure) { bank($0, isStale: true) }
    #expect(replayed.text?.hasPrefix("The answers are not linearizable") == true, "\(replayed.text ?? "")")
    let steps = found.result.failure?.split(separator: " ") ?? []
    #expect(steps.count { $0.hasPrefix("u") } == 3, "\(steps)")
    let correct = await Account(replaying: found.result.failure) { bank($0, isStale: false) }
    #expect(correct.text?.hasPrefix("The answers are not linearizable") != true, "\(correct.text ?? "")")
  }

  @Test func `A search of states finds the bug, and is complete without it`() async {
    func explore(isStale: Bool) async -> (Exploration, String?) {
      let explorer = Explorer(
        budget: 100_000, search: .states(.steps), seed: 1, settings: .init())
      await explorer.search { bank($0, isStale: isStale) }
      return (explorer.result, explorer.failureText)
    }
    let (stale, text) = await explore(isStale: true)
    #expect(stale.failure != nil && text?.hasPrefix("The answers are not linearizable") == true)
    let (correct, none) = await explore(isStale: false)
    #expect(none == nil && correct.completeLevel == .steps)
  }

  @Test func `A history that is too large is a gap`() async {
    let account = await Account(schedules: 5, search: .random(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      for _ in 0..<66 { run.request(.read, as: Bank.answers) }
    }
    #expect(account.result.failure == nil)
    #expect(account.result.gaps == ["a history of requests that is not decided: more than 64 requests"])
  }

  @Test func `A request of one sender is checked as well`() async {
    let account = await Account { schedule in
      let run = schedule.store(initialState: Bank.State(shown: 3), reducer: Bank())
      run.request(.read, as: Bank.answers)
    }
    #expect(account.text?.contains("No request can be the first:\n  `.read` of script has answered 3") == true)
  }

  @Test func `Requests that a shutdown cuts short may have taken effect or not`() async {
    let account = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      run.sender("ann") { ann in
        ann.request(.deposit(5), as: Bank.answers)
        ann.request(.read, as: Bank.answers)
      }
      run.shutdown(.cancelling)
    }
    #expect(account.text == nil, "\(account.text ?? "")")
    #expect(account.result.completeLevel == .steps)
  }

  @Test func `A specification of another state is a mistake that names both types`() async {
    struct Other: Reducer {
      func reduce(into state: inout Int, action: Bank.Action) -> Effect<Bank.Action> { .none }
    }
    let account = await Account { schedule in
      schedule.store(initialState: 0, reducer: Other()).request(.read, as: Bank.answers)
    }
    let types = "takes a state of the type `State`, and the state of the explored store is of the type `Int`"
    #expect(account.text?.contains(types) == true)
  }
}
