// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// The texts of the other steps when they fail, word for word, at the line of the step.
@Suite struct `Failure texts of further steps` {
  private func sleeper(_ seconds: Int = 1) -> Effect<CounterAction> {
    work { send in try await send.sleep(for: .seconds(seconds)) }
  }

  @Test func `A state that differs after receiving, with what sent the action`() async {
    let store = counterStore(work { send in send(.set(1)) })
    store.send(.start)
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 2 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The state after receiving .set(1) from run("work") at App/Feature.swift:12 is not what the test expects \
          (- expected, + actual):

            count:
              - 2
              + 1

          If the reducer is right, the closure is: `{ $0.count = 1 }`.
          """)
      ])
    await store.finish()
  }

  @Test func `A change that did not come`() async {
    let store = counterStore()
    let found = await failures {
      store.send(.note("a")) { $0.count = 1 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The state after sending .note("a") is not what the test expects (- expected, + actual):

            count:
              - 1
              + 0

          The step changed nothing. Does the reducer handle this action, and in this state? Fix it, or leave the \
          closure out.
          """)
      ])
    await store.finish()
  }

  @Test func `An action the predicate does not accept`() async {
    let store = counterStore(work { send in send(.set(1)) })
    store.send(.start)
    let found = await failures {
      await store.receive(where: { $0 == .set(2) }) { $0.count = 2 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive an action that the predicate accepts, but the next action is another one (- expected, \
          + actual):

            + .set(1)

          It came from run("work") at App/Feature.swift:12. Actions are received in the order they arrive: receive \
          this one first, or fix what the effect sends. To receive it, write `await store.receive(.set(1)) { $0.count = 1 }`.
          """)
      ])
    await store.finish()
  }

  @Test func `An action of another case`() async {
    let path = CasePath(
      embed: CounterAction.note, extract: { if case .note(let text) = $0 { text } else { nil } })
    let store = counterStore(work { send in send(.set(1)) })
    store.send(.start)
    let found = await failures {
      let text = await store.receive(path)
      #expect(text == nil)
    }
    #expect(
      found == [
        Failure(
          line: #line - 3,
          """
          Expected to receive an action with a value of type String at the case path, but the next action is another \
          one (- expected, + actual):

            + .set(1)

          It came from run("work") at App/Feature.swift:12. Actions are received in the order they arrive: receive \
          this one first, or fix what the effect sends. To receive it, write `await store.receive(.set(1)) { $0.count = 1 }`.
          """)
      ])
    await store.finish()
  }

  @Test func `An action that is none of the expected ones`() async {
    let store = counterStore(work { send in for count in [1, 9] { send(.set(count)) } })
    store.send(.start)
    let found = await failures {
      await store.receive(unordered: [.set(1), .set(2), .set(3)]) { $0.count = 3 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive one of .set(2), .set(3) (the rest of this step has come), but the next action is another \
          one (- expected, + actual):

            - .set(2)
            - .set(3)
            + .set(9)

          It came from run("work") at App/Feature.swift:12. Actions are received in the order they arrive: receive \
          this one first, or fix what the effect sends. To receive it, write `await store.receive(.set(9)) { $0.count = 9 }`.
          """)
      ])
    await store.finish()
  }

  @Test func `A state that is not what is asserted`() async {
    struct NoSuchRow: Error {}
    let store = counterStore()
    store.send(.increment) { $0.count = 1 }
    let line = #line
    let found = await failures {
      store.assert { $0.count = 2 }
      store.assert { _ in throw NoSuchRow() }
    }
    #expect(
      found == [
        Failure(
          line: line + 2,
          """
          The state is not what the test asserts (- asserted, + actual):

            count:
              - 2
              + 1

          The closure is given the present state and must change nothing. Set in it what the feature really has \
          reached, or fix the reducer of the steps before.
          """),
        Failure(
          line: line + 3,
          """
          The closure of `assert` threw an error, so the state was not compared:

            NoSuchRow()
          """),
      ])
    await store.finish()
  }

  @Test func `Nothing to skip, with and without runs`() async {
    let store = counterStore(sleeper())
    let line = #line
    let found = await failures {
      store.skipReceived()
      store.send(.start)
      store.skipReceived()
    }
    func text(_ runs: String) -> String {
      """
      There is nothing to skip: no action was received.

      \(runs)

      Let time pass or `await store.settle()` before this step, or leave it out.
      """
    }
    #expect(
      found == [
        Failure(line: line + 2, text("Nothing is in flight either.")),
        Failure(
          line: line + 4,
          text(
            """
            These runs are in flight:

              run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more
            """)),
      ])
    store.advanceToNext()
    await store.finish()
  }

  @Test func `Skipping without end`() async {
    let store = TestStore(
      initialState: Counter(), reducer: counter(work { send in send(.start) }), executor: TestExecutor(jobLimit: 1_000),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.send(.start)
    let found = await failures {
      store.skipReceived()
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 3,
          """
          1000 actions were received before the end of skipReceived(), and the test does not say so:

            .start from run("work") at App/Feature.swift:12 (1000 times)

          Then the step stopped and cancelled every run, because time did not pass and another action had come. Do runs \
          and reducers answer one another in a circle?
          """)
      ])
  }

  @Test func `Nothing to cancel`() async {
    let store = counterStore()
    let found = await failures {
      store.cancelInFlight()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          There is nothing to cancel: no run is in flight.

          Has it ended before, or was it never started? Leave the step out, or fix the feature.
          """)
      ])
    await store.finish()
  }

  @Test func `What was sent has not settled`() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, seconds in
        .run(id: seconds, overlap: .concurrent, fileID: "App/Feature.swift", line: 12) { send in
          try await send.sleep(for: .seconds(seconds))
        }
      })
    let first = store.send(1)
    store.send(2)
    let found = await failures {
      await first.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          What was sent has not settled; this run is still in flight:

            run(1) at App/Feature.swift:12, caused by 1: asleep for 1.0 seconds more

          Let it end before this step: `store.advance(by: .seconds(1))`, or send what cancels it.
          """)
      ])
    // They go on.
    store.runUntilIdle()
    await store.finish()
  }

  @Test func `A fork while a run is in flight`() async {
    let store = counterStore(sleeper())
    store.send(.start)
    let found = await failures {
      let fork = store.fork()
      await fork.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 3,
          """
          A test store cannot be forked while runs are in flight, because runs cannot be copied:

            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

          Let it end before this step, or cancel it. The fork goes on without it.
          """)
      ])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `No next instant`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    let line = #line
    let found = await failures {
      store.advanceToNext()
      store.send(.start)
      store.advanceToNext()
    }
    func text(_ runs: String) -> String {
      """
      There is no next instant: nothing waits for time to pass on the test's clock, which shows 0.0 seconds.

      \(runs)

      Does the feature wait by `send.sleep(for:)` or `send.clock`? Other clocks are not moved by the test.
      """
    }
    #expect(
      found == [
        Failure(line: line + 2, text("Nothing is in flight.")),
        Failure(
          line: line + 4,
          text(
            """
            These runs are in flight:

              run("work") at App/Feature.swift:12, caused by .start: suspended outside of the test's control
            """)),
      ])
    gate.open()
    await store.finish()
  }

  @Test func `Sleepers without end`() async {
    let store = counterStore(work { send in while true { try await send.sleep(for: .seconds(1)) } })
    store.send(.start)
    let found = await failures {
      store.runUntilIdle(limit: 5)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          `runUntilIdle` has moved the test's clock 5 times, and work still waits for time. The clock shows 5.0 seconds:

            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

          Does a run sleep in a loop? Cancel it before this step, use `store.advanceToNext()`, or raise `limit:`.
          """)
      ])
    store.send(.stop)
    await store.finish()
  }

  @Test func `A task that still sleeps although its run has ended`() async {
    let executor = TestExecutor()
    let store = TestStore(
      initialState: Counter(),
      reducer: counter(
        work { send in Task(executorPreference: executor) { try await send.sleep(for: .seconds(5)) } }),
      executor: executor, at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.send(.start)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          A task still sleeps on the test's clock at the end of the test:

            a task of no known run, maybe detached, asleep for 5.0 seconds more

          Does a run start a task and not wait for it? Nothing that such a task does is proved. Await it in the run, \
          or advance the time.
          """)
      ])
    store.clock.runUntilIdle()
  }

  @Test func `A run that began when another one ended`() async {
    let store = counterStore(.concatenate(work { _ in }, sleeper()))
    store.send(.start)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          A run is still in flight at the end of the test:

            run("work") at App/Feature.swift:12, caused by the end of another run: asleep for 1.0 seconds more

          Let it end before `finish()`: `store.advance(by: .seconds(1))`, send what cancels it, or cancel what was sent.
          """)
      ])
  }

  @Test func `Many runs of one kind are one line`() async {
    let store = counterStore(.merge((0..<1_000).map { _ in sleeper() } + [sleeper(2)]))
    store.send(.start)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found.map(\.text) == [
        """
        1001 runs are still in flight at the end of the test:

          run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more (1000 times)
          run("work") at App/Feature.swift:12, caused by .start: asleep for 2.0 seconds more

        Let them end before `finish()`: `store.advance(by: .seconds(1))`, send what cancels them, or cancel what was sent.
        """
      ])
  }
}
