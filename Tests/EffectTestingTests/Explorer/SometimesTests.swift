// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// Two runs that each send a digit, which is appended.
private struct Digits: Reducer {
  enum Action: Sendable { case go, digit(Int) }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .go: return .merge([1, 2].map { digit in .run { send in send(.digit(digit)) } })
    case .digit(let digit):
      state = state * 10 + digit
      return .none
    }
  }
}

/// Named states that some schedule must reach.
@Suite struct SometimesTests {
  private func digits(
    _ schedule: Exploration.Schedule, _ sometimes: KeyValuePairs<String, (Int) -> Bool>, always: ((Int) -> Bool)? = nil
  ) {
    schedule.store(initialState: 0, reducer: Digits(), sometimes: sometimes, always: always).send(.go)
  }

  @Test func `States that different schedules reach are reached`() async {
    let account = await Account { digits($0, ["in order": { $0 == 12 }, "reversed": { $0 == 21 }]) }
    #expect(account.text == nil)
    #expect(account.result.completeLevel != nil)
  }

  @Test func `A state that no order leads to fails, and the text says so`() async {
    let account = await Account(search: .full(.steps)) {
      digits($0, ["in order": { $0 == 12 }, "twice": { $0 == 11 }, "thrice": { $0 == 111 }])
    }
    let complete = "complete: steps (\(account.result.completeCount))"
    #expect(
      account.text == """
        No schedule reached these states of `sometimes:`: `twice`, `thrice`. The exploration: \(complete).

        What the other properties say of these states was not tested. Let the script send actions that lead to them, or \
        correct the conditions. No order of this script leads there.
        """)
    #expect(account.result.failure == "")
    #expect(account.result.completeLevel != nil)
  }

  @Test func `A search that was stopped reports that more schedules may reach it`() async {
    let account = await Account(schedules: 1, search: .full(.steps)) { digits($0, ["reversed": { $0 == 21 }]) }
    #expect(
      account.text == """
        No schedule reached this state of `sometimes:`: `reversed`. The exploration: stopped at steps after 1 schedule; there are more.

        What the other properties say of this state was not tested. Let the script send actions that lead to it, or \
        correct the condition. A larger `budget:` may lead there as well.
        """)
  }

  @Test func `The state before the first reduction does not count`() async {
    let account = await Account { digits($0, ["nothing": { $0 == 0 }, "done": { $0 > 9 }]) }
    #expect(account.text == nil, "the reduction of `go` leaves the state as it was")
    let never = await Account {
      $0.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += action
          return .none
        }, sometimes: ["nothing": { $0 == 0 }]
      ).send(1)
    }
    #expect(never.text?.contains("No schedule reached this state of `sometimes:`: `nothing`") == true)
  }

  @Test func `If schedules have different states, each must be reached`() async {
    let account = await Account { schedule in
      if schedule.choose(2) == 0 {
        digits(schedule, ["in order": { $0 == 12 }])
      } else {
        digits(schedule, ["eleven": { $0 == 11 }, "in order": { $0 == 12 }])
      }
    }
    #expect(
      account.text?.contains("No schedule reached this state of `sometimes:`: `eleven`.") == true,
      "\(account.text ?? "")")
  }

  @Test func `As many states with other names are other states`() {
    var sometimes = Sometimes()
    sometimes.begin(["one": 1])
    sometimes.begin(["other": 1])
    #expect(sometimes.unreached == ["one", "other"])
  }

  @Test func `A search that was cut reports that higher limits may reach it`() async {
    let account = await Account(search: .full(.steps), steps: 2) { digits($0, ["in order": { $0 == 12 }]) }
    #expect(
      account.text?.contains("Schedules that are not cut may lead there as well. ") == true,
      "\(account.text ?? "")")
    #expect(account.text?.contains("or raise `steps:` of `options:`.") == true)
  }

  @Test func `At a lower level, a higher one may reach it`() async {
    let account = await Account(search: .full(.timers)) {
      digits($0, ["twice": { $0 == 11 }])
    }
    #expect(account.result.completeLevel == .timers)
    #expect(
      account.text?.contains("No order at the level `timers` leads there; a higher `upTo:` tries more.") == true,
      "\(account.text ?? "")")
  }

  @Test func `Two states of one name must both be reached`() async {
    let account = await Account { digits($0, ["done": { $0 == 12 }, "done": { $0 == 5 }]) }
    #expect(account.text?.contains("No schedule reached this state of `sometimes:`: `done`") == true)
  }

  @Test func `A property that is violated is reported first`() async {
    let account = await Account { digits($0, ["never": { _ in false }], always: { $0 != 21 }) }
    #expect(account.text?.hasPrefix("After a reduction `always` does not hold.") == true)
  }

  @Test func `A replay does not check them`() async {
    let found = await Account { digits($0, [:], always: { $0 != 21 }) }
    let replayed = await Account(replaying: found.result.failure) { digits($0, ["never": { _ in false }]) }
    #expect(found.result.failure != nil)
    #expect(replayed.text == nil)
  }

  @Test func `They are kept if a closure of a schedule has not returned`() async {
    let gate = TestSupport.Gate()
    let account = await Account(search: .full(.steps)) { schedule in
      let stays = schedule.choose(2) == 0
      schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += action
          return stays ? .run(id: "a", overlap: .concurrent) { _ in await gate.pass() } : .none
        }, requiring: [.noDeadlock(except: "a")], sometimes: ["from a closure that stays": { _ in stays }]
      ).send(1)
    }
    gate.open()
    #expect(account.text == nil)
    #expect(account.result.schedules > 1)
  }

  @Test func `They are given to explore beside the requirements`() async {
    let failures = await reportedFailures {
      await explore(initialState: 0, reducer: Digits(), sometimes: ["eleven": { $0 == 11 }]) { $0.send(.go) }
    }
    #expect(failures.count == 1 && failures[0].contains("No schedule reached this state of `sometimes:`: `eleven`"))
  }
}
