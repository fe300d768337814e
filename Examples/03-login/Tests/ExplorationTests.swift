// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import login

/// Every order in which taps, answers and failures can come.
@Suite struct `Explorations of the login` {
  /// The state never shows both a session and a problem.
  private static func isConsistent(_ state: Login.State) -> Bool {
    state.session == nil || state.problem == nil
  }

  // MARK: - Two taps, and the network may fail for one of them

  private static let typed = Login.State(name: "ann", password: Password("swordfish"))

  private static func doubleTap(_ reducer: some Reducer<Login.State, Login.Action>) async -> Exploration {
    await explore(
      initialState: typed, reducer: reducer, requiring: [.nothingRunsAtTheEnd],
      faults: .anyOne(of: .fail("login", with: Problem.networkDown))
    ) { script in
      script.send(.loginTapped)
      script.send(.loginTapped)
    } always: { state in
      isConsistent(state)
    } finally: { state in
      state.session != nil || state.problem != nil
    }
  }

  @Test func `A double tap is one login, whatever happens (O5, E5)`() async {
    let result = await Self.doubleTap(Login(open: rightPassword, count: nothing))
    #expect(
      "\(result)" == "complete: answers (41 states), timers (41 states), deliveries (111 states), steps (210 states)")
  }

  @Test func `A client that makes a task is explored as the others`() async {
    let login = Login(
      open: { name, password in try await Task { try await rightPassword(name, password) }.value }, count: nothing)
    let result = await Self.doubleTap(login)
    result.expectComplete()
  }

  @Test func `The naive login shows a problem to a user who is logged in`() async {
    let text = """
      After a reduction `always` does not hold. Found by schedule 1 of the search and shortened from 11 steps to 10.

      Two runs of "login" at login/NaiveLogin.swift:24 were active at the same time, because their overlap is `.concurrent`: .failed(.networkDown) came from the older one, after the newer one had begun. If only the newest may answer, write `overlap: .restart` there.

      State:
        State(name: "ann", password: Password(...), session: Session(number: 1, name: "ann"), problem: .networkDown)

      Injected faults:
        .fail("login", with: Problem.networkDown) into run("login", input: "ann") at login/NaiveLogin.swift:24

      What has happened so far:

      seconds  1    2
               ann  ann
        0.000  ●         .loginTapped  ExplorationTests.swift:24
               │    ●    .loginTapped  ExplorationTests.swift:25
               │    ◆    .loggedIn(Session(number: 1, name: "ann"))  from 2
               !         1 fails: networkDown, its catch follows
               ◆         .failed(.networkDown)  from 1

      1  run("login", input: "ann") at login/NaiveLogin.swift:24
      2  run("login", input: "ann") at login/NaiveLogin.swift:24

      ● starts   ◆ its action is reduced   ! fails   │ runs
      where a line stops, the run has ended

      Run this schedule alone:
        explore(…, faults: .anyOne(of: .fail("login", with: Problem.networkDown)), replaying: "u d c1 u d e0 e0 d e0 d")
      """
    let failures = await reportedFailures {
      _ = await Self.doubleTap(NaiveLogin(open: rightPassword))
    }
    #expect(failures == [text])
  }

  @Test func `A test of one tap finds nothing wrong with the naive login`() async {
    let store = TestStore(initialState: Self.typed, reducer: NaiveLogin(open: rightPassword))
    store.send(.loginTapped)
    await store.receive(.loggedIn(Session(number: 1, name: "ann"))) { $0.session = Session(number: 1, name: "ann") }
    await store.finish()
  }

  // MARK: - A wrong password, changed while its login is active

  private static func correction(_ reducer: some Reducer<Login.State, Login.Action>) async -> Exploration {
    await explore(
      initialState: Login.State(name: "ann"), reducer: reducer, requiring: [.nothingRunsAtTheEnd]
    ) { script in
      script.send(.loginTapped)
      script.send(.passwordChanged(Password("swordfish")))
      script.send(.loginTapped)
    } always: { state in
      isConsistent(state)
    } finally: { state in
      state.session != nil
    }
  }

  @Test func `The new password logs in, and the old one has no effect (E1)`() async {
    let result = await Self.correction(Login(open: rightPassword, count: nothing))
    #expect(
      "\(result)" == "complete: answers (25 states), timers (25 states), deliveries (53 states), steps (132 states)")
  }

  @Test func `The naive login logs in with the new password, and reports that the old one was wrong`() async {
    let failures = await reportedFailures {
      let result = await Self.correction(NaiveLogin(open: rightPassword))
      #expect(result.failure == "u u u d d d e0 e0 d e0 d")
    }
    #expect(
      failures.count == 1
        && failures[0].contains("session: Session(number: 1, name: \"ann\"), problem: .wrongPassword)"))
  }
}
