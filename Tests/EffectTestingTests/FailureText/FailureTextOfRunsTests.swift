// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// The texts for runs that do not end as they should, and for steps in a wrong order; word for word.
@Suite struct `Failure texts of runs and steps` {
  @Test func `One action unhandled before send`() async {
    let store = counterStore(work { send in send(.increment) })
    store.send(.start)
    let found = await failures {
      store.send(.decrement) { $0.count = 0 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          An action was received before send(.decrement), and the test does not say so:

            .increment from run("work") at App/Feature.swift:12

          Write `await store.receive(.increment) { $0.count = 1 }` for it before this step.
          """)
      ])
    await store.finish()
  }

  @Test func `Several actions unhandled before advance`() async {
    let store = counterStore(.merge(.send(.set(4)), work { send in send(.increment) }))
    store.send(.start)
    let found = await failures {
      store.advance(by: .seconds(1))
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          2 actions were received before advance(by: 1.0 seconds), and the test does not say so:

            .set(4) from a `.send` effect in the turn of .start
            .increment from run("work") at App/Feature.swift:12

          Write before this step:

            await store.receive(.set(4)) { $0.count = 4 }
            await store.receive(.increment) { $0.count = 5 }

          A `.send` takes no time: its action comes in the turn of .start, before time passes. If it is to come later, add \
          `.delay(for:)` to the effect.
          """)
      ])
    // They were reduced, and the step was done.
    #expect(store.state.count == 5)
    #expect(store.clock.now == TestClock.Instant(offset: .seconds(1)))
    await store.finish()
  }

  @Test func `An action unhandled before advance to an instant`() async {
    let store = counterStore(work { send in send(.increment) })
    store.send(.start)
    let found = await failures {
      store.advance(to: TestClock.Instant(offset: .seconds(1)))
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          An action was received before advance(to: 1.0 seconds), and the test does not say so:

            .increment from run("work") at App/Feature.swift:12

          Write `await store.receive(.increment) { $0.count = 1 }` for it before this step.
          """)
      ])
    await store.finish()
  }

  @Test func `An action unhandled before finish`() async {
    let store = counterStore(work { send in send(.increment) })
    store.send(.start)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          An action was received before finish(), and the test does not say so:

            .increment from run("work") at App/Feature.swift:12

          Write `await store.receive(.increment) { $0.count = 1 }` for it before this step.
          """)
      ])
    #expect(store.state.count == 1)
  }

  @Test func `An action unhandled before a cancel`() async {
    let store = counterStore(
      work { send in
        send(.increment)
        try await send.sleep(for: .seconds(1))
      })
    let start = store.send(.start)
    let found = await failures {
      start.cancel()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          An action was received before cancel(), and the test does not say so:

            .increment from run("work") at App/Feature.swift:12

          Write `await store.receive(.increment) { $0.count = 1 }` for it before this step.
          """)
      ])
    await store.finish()
  }

  @Test func `A cycle of runs that answer one another`() async {
    let store = TestStore(
      initialState: Counter(), reducer: counter(work { send in send(.start) }), executor: TestExecutor(jobLimit: 1_000),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.send(.start)
    let found = await failures {
      store.send(.increment) { $0.count = 1 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          1000 actions were received before send(.increment), and the test does not say so:

            .start from run("work") at App/Feature.swift:12 (1000 times)

          Then the step stopped and cancelled every run, because time did not pass and another action had come. Do runs \
          and reducers answer one another in a circle?
          """)
      ])
    // The step was done, and nothing remains.
    #expect(store.state.count == 1)
    await store.finish()
  }

  @Test func `A cycle of follow-ups`() async {
    let reducer = Reduce<Counter, CounterAction> { state, action in
      state.count += 1
      return .send(action == .increment ? .decrement : .increment)
    }
    let store = TestStore(
      initialState: Counter(), reducer: reducer, executor: TestExecutor(jobLimit: 1_000),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.send(.increment) { $0.count = 1 }
    let found = await failures {
      for count in 2...1001 {
        await store.receive(count.isMultiple(of: 2) ? .decrement : .increment) { $0.count = count }
      }
    }
    #expect(
      found == [
        Failure(
          line: #line - 3,
          """
          A turn has 1001 actions and still goes on; the last are:

            .increment → .decrement → .increment → …

          Do reducers send one another actions in a circle? A `.send` effect belongs to the turn, so one of them must \
          stop. The rest of the turn was dropped.
          """)
      ])
    await store.finish()
  }

  @Test func `An error that is not caught (E5)`() async {
    struct Refused: Error { let code = 7 }
    let store = counterStore(
      .run(id: "work", overlap: .concurrent, input: "swift", fileID: "App/Feature.swift", line: 12) { _, _ in
        throw Refused()
      })
    let found = await failures {
      store.send(.start)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          A run threw an error and has no `catch`: Refused(code: 7)

            run("work", input: "swift") at App/Feature.swift:12

          Let the feature handle it: add `catch: { error, send in send(.failed("\\(error)")) }` to the run, and \
          `case failed(String)` to the actions if there is none, and reduce that action. Or catch the error inside the run.
          """)
      ])
    await store.finish()
  }

  @Test func `A run still outside after settle`() async {
    let gate = Gate()
    let store = counterStore(
      .merge(work { _ in await gate.wait() }, .run { send in try await send.sleep(for: .seconds(1)) }))
    store.externalWait = .milliseconds(20)
    store.send(.start)
    let found = await failures {
      await store.settle()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          After waiting 0.02 seconds these runs are still suspended outside of the test's control:

            run("work") at App/Feature.swift:12, caused by .start: suspended outside of the test's control

          Give the feature a dependency that answers in the test, or raise `store.externalWait`.
          """)
      ])
    gate.open()
    store.externalWait = plenty
    await store.settle()
    store.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func `A run in flight at the end`() async {
    let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
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

            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

          Let it end before `finish()`: `store.advance(by: .seconds(1))`, send what cancels it, or cancel what was sent.
          """)
      ])
  }

  @Test func `Runs in flight at the end, in the order they started`() async {
    let gate = Gate()
    let store = counterStore(
      .merge(
        .run(name: "second line, first start", fileID: "App/Feature.swift", line: 100) { _ in await gate.wait() },
        work { send in try await send.sleep(for: .seconds(1)) }))
    store.externalWait = .milliseconds(20)
    store.send(.start)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          2 runs are still in flight at the end of the test:

            run(name: "second line, first start") at App/Feature.swift:100, caused by .start: suspended outside of the test's control
            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

          Let them end before `finish()`: `store.advance(by: .seconds(1))`, send what cancels them, or cancel what was sent.
          """)
      ])
    gate.open()
  }

  @Test func `A run that ignores its cancellation`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    store.externalWait = .milliseconds(20)
    store.send(.start)
    store.send(.stop)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          A run was cancelled and goes on at the end of the test:

            run("work") at App/Feature.swift:12, caused by .start: suspended outside of the test's control

          Nothing it sends is reduced any more, but the closure has not returned: it ignores its cancellation. Call \
          `try Task.checkCancellation()` in its loops, and let the error of a cancelled wait through.
          """)
      ])
    gate.open()
  }

  @Test func `A run that never suspends for long`() async {
    let location = TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1)
    let store = TestStore(
      initialState: Counter(),
      reducer: counter(work { _ in while !Task.isCancelled { await Task.yield() } }),
      executor: TestExecutor(jobLimit: 1_000), at: location)
    let found = await failures {
      store.send(.start)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The code of these runs goes on and on without waiting for anything, so this step goes on without them:

            run("work") at App/Feature.swift:12

          Does a loop call `Task.yield()` until something happens, or swallow the error of a cancelled `sleep`? Does a \
          `retry` go on for ever without a backoff? Wait for what happens, and leave loops when the task is cancelled.
          """)
      ])
    store.send(.stop)
    await store.finish()
  }

  @Test func `A run that ignores the error of every cancelled sleep`() async {
    let gate = Gate()
    let location = TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1)
    let store = TestStore(
      initialState: Counter(),
      reducer: counter(
        work { send in
          while !gate.isOpen { try? await send.sleep(for: .seconds(1)) }
        }),
      executor: TestExecutor(jobLimit: 1_000), at: location)
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      store.send(.stop)
    }
    #expect(found.map(\.line) == [#line - 2])
    #expect(found.first?.text.hasPrefix("The code of these runs goes on and on") == true)
    gate.open()
    await store.finish()
  }

  @Test func `A run that never ends, cancelled or not, does not block the test for ever`() async {
    let location = TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1)
    let store = TestStore(
      initialState: Counter(),
      reducer: counter(
        work { send in
          while true {
            try? await send.sleep(for: .seconds(1))
            send(.increment)
          }
        }),
      executor: TestExecutor(jobLimit: 1_000), at: location)
    store.externalWait = .milliseconds(50)
    let found = await failures {
      store.send(.start)
      store.send(.stop)
      await store.finish()
    }
    // Everything after it is a consequence of it.
    #expect(found.map { $0.text.prefix(38) } == ["The code of these runs goes on and on "])
  }

  @Test func `A run that sleeps for no time again and again`() async {
    let gate = Gate()
    let location = TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1)
    let store = TestStore(
      initialState: Counter(),
      reducer: counter(work { send in while !gate.isOpen { try await send.sleep(for: .zero) } }),
      executor: TestExecutor(jobLimit: 1_000), at: location)
    let found = await failures {
      store.send(.start)
    }
    #expect(found.first?.text.hasPrefix("The code of these runs goes on and on") == true)
    gate.open()
    await store.finish()
  }

  @Test func `A forgotten finish without unfinished work is no failure`() async {
    let found = await failures {
      let store = counterStore()
      store.send(.increment) { $0.count = 1 }
    }
    #expect(found == [])
  }

  @Test func `Steps after finish`() async {
    let store = counterStore()
    let start = store.send(.increment) { $0.count = 1 }
    await store.finish()
    let line = #line
    let found = await failures {
      store.send(.set(4)) { $0.count = 4 }
      store.advance(by: .seconds(1))
      store.advance(to: TestClock.Instant(offset: .seconds(2)))
      await store.receive(.increment)
      await store.settle()
      start.cancel()
      await store.finish()
    }
    // All steps after a `finish()` that comes too early are one mistake. None of them is executed.
    #expect(
      found == [
        Failure(
          line: line + 2,
          "send(.set(4)) comes after `finish()`, which ends the test. Move it before, or make another store.")
      ])
    #expect(store.state.count == 1)
  }

  @Test func `Time that goes back`() async {
    let store = counterStore()
    store.advance(by: .seconds(2))
    let line = #line
    let found = await failures {
      store.advance(by: .seconds(-1))
      store.advance(to: TestClock.Instant(offset: .milliseconds(500)))
    }
    #expect(
      found == [
        Failure(line: line + 2, text("1.0")), Failure(line: line + 3, text("0.5")),
      ])
    await store.finish()
    func text(_ seconds: String) -> String {
      """
      Time cannot go back to \(seconds) seconds: the clock shows 2.0 seconds.

      `advance(to:)` takes the time since the store was made; `advance(by:)` goes on from now.
      """
    }
  }
}
