// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// A poll that waits for a signal. A signal that comes first is lost, unless the feature keeps it.
private struct Poll: Reducer {
  struct State: Equatable, Sendable {
    var isWaiting = false
    var isSignalled = false
  }
  enum Action: Equatable, Sendable { case wait, signal, unrelated }

  var keepsSignal = false

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .wait:
      if state.isSignalled { return .none }
      state.isWaiting = true
      return .run(id: "wait", overlap: .drop) { _ in
        let (signals, source) = AsyncStream<Never>.makeStream()
        for await _ in signals {}
        withExtendedLifetime(source) {}
      }
    case .signal:
      state.isWaiting = false
      if keepsSignal { state.isSignalled = true }
      return .cancel(id: "wait")
    case .unrelated:
      return .none
    }
  }
}

/// What a schedule is shortened to, where only the whole script leads to what is checked.
@Suite struct WholeScriptTests {
  private func poll(_ schedule: Exploration.Schedule, keepsSignal: Bool = false) {
    let run = schedule.store(
      initialState: Poll.State(), reducer: Poll(keepsSignal: keepsSignal), requiring: [.noDeadlock()])
    run.sender("a") { a in
      a.send(.unrelated)
      a.send(.wait)
    }
    run.sender("b") { $0.send(.signal) }
  }

  private func answers(from balance: Int) -> Exploration.Specification<Bank, Int?> {
    Exploration.Specification(of: Bank.self, from: balance) { balance, action in
      if case .deposit(let amount) = action { balance += amount }
      return action == .read ? balance : nil
    } answer: { state, action in
      action == .read ? state.shown : nil
    }
  }

  /// The lines of the script in a schedule, and those that are left out.
  private func lines(_ schedule: String?) -> (taken: Int, omitted: Int) {
    let steps = schedule?.split(separator: " ") ?? []
    return (steps.count { $0.hasPrefix("u") }, steps.count { $0.hasPrefix("s") })
  }

  @Test func `A deadlock is shown with the line that should have prevented it`() async {
    let found = await Account(search: .full(.steps)) { poll($0) }
    #expect(
      found.text?.hasPrefix("Nothing can happen any more, and this still waits: ") == true, "\(found.text ?? "none")")
    #expect(lines(found.result.failure) == (3, 0), "\(found.result.failure ?? "none")")
    // So it passes when the bug is fixed.
    let replayed = await Account(replaying: found.result.failure) { poll($0, keepsSignal: true) }
    #expect(replayed.result.failures == 0, "\(replayed.text ?? "none")")
  }

  @Test func `A run that goes on is shown with the line that should have ended it`() async {
    let found = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: Poll.State(), reducer: Poll(), requiring: [.nothingRunsAtTheEnd])
      run.sender("a") { $0.send(.wait) }
      run.sender("b") { $0.send(.signal) }
    }
    #expect(lines(found.result.failure) == (2, 0), "\(found.result.failure ?? "none")")
  }

  @Test func `The answer of a request is wrong after the whole script`() async {
    let found = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      run.finish(run.send(.deposit(10)))
      run.sender("ann") { $0.request(.read) { (state: Bank.State) in state.shown == 10 } }
      run.sender("bob") { $0.send(.deposit(-3)) }
    }
    #expect(found.text?.hasPrefix("The closure of `request(.read)`") == true, "\(found.text ?? "none")")
    #expect(lines(found.result.failure).omitted == 0, "\(found.result.failure ?? "none")")
  }

  @Test func `Of a history, requests are left out, and what was done before it is not`() async {
    let answers = answers(from: 10)
    let found = await Account { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank(isStale: true))
      run.finish(run.send(.deposit(10)))
      run.sender("ann") { ann in
        ann.request(.deposit(5), as: answers)
        ann.request(.read, as: answers)
        ann.request(.read, as: answers)
      }
      run.sender("bob") { $0.request(.deposit(1), as: answers) }
    }
    #expect(found.text?.hasPrefix("The answers are not linearizable") == true, "\(found.text ?? "none")")
    let schedule = found.result.failure ?? ""
    #expect(schedule.hasPrefix("u ") || schedule.contains(" u "), "\(schedule)")
    // Without the deposit of ten, a read alone would have a wrong answer.
    #expect(lines(schedule).taken >= 5, "\(schedule)")
  }

  @Test func `A line that the others need is kept, so the schedule passes when the bug is fixed`() async {
    // The editing begins after the login. The bug: when the draft expires, the user is logged out.
    func edit(_ schedule: Exploration.Schedule, logsOut: Bool) {
      let feature = Reduce<(user: String, draft: String), String> { state, action in
        switch action {
        case "login": state.user = "ann"
        case "edit": state.draft = state.user
        default: if logsOut { state.user = "guest" }
        }
        return .none
      }
      let run = schedule.store(initialState: ("guest", ""), reducer: feature, always: { $0.draft != "guest" })
      run.send("login")
      run.sender("ui") { $0.send("edit") }
      run.sender("timer") { $0.send("expire") }
    }
    let found = await Account { edit($0, logsOut: true) }
    #expect(lines(found.result.failure) == (3, 0), "\(found.result.failure ?? "none")")
    let replayed = await Account(replaying: found.result.failure) { edit($0, logsOut: false) }
    #expect(replayed.result.failures == 0 && replayed.text == nil, "\(replayed.text ?? "none")")
  }

  @Test func `No property is called for a part of the script, also while a failure is shortened`() async {
    let ends = Recorder<Int>()
    let found = await Account { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += action
          return .run { _ in }
        },
        finally: {
          ends.record($0)
          return false
        })
      for action in [1, 10, 100] { run.send(action) }
    }
    #expect(found.result.failures == 1)
    #expect(Set(ends.events) == [111] && ends.events.count > 1)
  }

  // MARK: - Requests that prove nothing

  @Test func `A request that is never answered has not been checked`() async {
    let found = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      run.send(.deposit(1))
      run.shutdown(.cancelling)
      run.request(.read) { (_: Bank.State) in false }
    }
    #expect(
      found.text?.contains(
        "was never answered: each was refused, cancelled, cut short by a shutdown, or still waited at the end."
      ) == true,
      "\(found.text ?? "none")")
  }

  @Test func `A request that is answered in some schedules has been checked`() async {
    let found = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      run.sender("a") { $0.request(.read) { (state: Bank.State) in state.balance == 0 } }
      run.sender("b") { $0.shutdown(.cancelling) }
    }
    #expect(found.text == nil)
    #expect(found.result.completeLevel == .steps)
  }

  @Test func `A specification that is made for each request is named in the failure`() async {
    let found = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      run.request(.deposit(5), as: answers(from: 0))
      run.request(.read, as: answers(from: 0))
    }
    let advice = "use the same specification for all of them: make it once, in a constant."
    #expect(found.text?.contains(advice) == true, "\(found.text ?? "none")")
  }

  @Test func `A history that is not decided is no work outside of the explorer's control`() async {
    let found = await Account(search: .full(.deliveries)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      for _ in 1...65 { run.request(.read, as: Bank.answers) }
    }
    #expect(
      found.result.description.hasSuffix(
        "tried; a history of requests that is not decided: more than 64 requests"),
      "\(found.result)")
    #expect(found.result.completeLevel == nil && !found.result.hasLeft)
    #expect(
      FailureText.incomplete(found.result, at: .deliveries).hasSuffix(
        "Let the senders make fewer requests with one specification."))
  }

  @Test func `Shortening a long schedule ends after a number of steps, and with its task`() async {
    let endless = Reduce<Int, Int> { state, _ in
      state += 1
      return .run { send in send(1) }
    }
    let exploration = Task {
      await Account(search: .random(.steps)) { schedule in
        schedule.store(initialState: 0, reducer: endless, always: { $0 < 200 }).send(1)
      }
    }
    let found = await exploration.value
    #expect(found.text?.hasPrefix("After a reduction `always` does not hold") == true, "\(found.text ?? "none")")
    #expect(found.result.failure?.isEmpty == false)
  }

  // MARK: - Replays and code

  @Test(arguments: ["s9", "u s1 d"])
  func `A replay that leaves out a line that there is not does not fit`(schedule: String) async {
    let found = await Account(replaying: schedule) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank())
      run.send(.read)
      run.send(.read)
    }
    #expect(found.text?.hasPrefix("The schedule does not fit") == true, "\(found.text ?? "none")")
  }

  @Test func `A script as code has names of senders as literals, and constants of closures around them`() async {
    let found = await Account(schedules: 1_000) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank(), always: { $0.balance < 20 })
      let sent = run.send(.deposit(1))
      run.send(anyOf: [.deposit(20)], upTo: 1)
      run.sender("an\"n") { $0.cancel(sent) }
      run.sender("bob") { $0.send(.read) }
    }
    let text = found.text ?? "none"
    #expect(!text.contains("// script.cancel"), "\(text)")
    #expect(!text.contains("\"an\"n\""), "\(text)")
  }

  @Test func `A script that sends nothing is a mistake, also behind a choice`() async {
    let found = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: Bank.State(), reducer: Bank(), always: { _ in false })
      if schedule.choose(2) == 5 { run.send(.read) }
    }
    #expect(found.text?.hasPrefix("The script sends nothing") == true, "\(found.text ?? "none")")
  }
}
