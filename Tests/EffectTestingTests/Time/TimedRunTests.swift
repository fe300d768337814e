// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Runs with time modifiers under a test store.
@Suite struct `Runs and time under a test store` {
  private struct Broken: Error {}

  @Test func `A debounced search is proved step by step (C2)`() async {
    let store = TestStore(
      initialState: "",
      reducer: Reduce<String, String> { state, action in
        state = action
        guard !action.hasPrefix("found") else { return .none }
        return .run(id: "search", overlap: .restart, input: action) { query, send in
          try await send.sleep(for: .milliseconds(50))
          send("found \(query) at \(send.now)")
        }
        .debounce(for: .milliseconds(300))
      })
    store.send("s") { $0 = "s" }
    store.advance(by: .milliseconds(299))
    store.send("sw") { $0 = "sw" }
    store.advance(by: .seconds(1))
    await store.receive("found sw at 0.649 seconds") { $0 = "found sw at 0.649 seconds" }
    #expect(store.clock.now.offset == .milliseconds(1_299))
    await store.finish()
  }

  @Test func `A run that was superseded or dropped has settled (C2)`() async {
    let store = counterStore(
      .concatenate(
        .run(id: "work", overlap: .drop) { $0(.increment) }.debounce(for: .seconds(1)), .send(.note("after"))))
    let first = store.send(.start)
    let second = store.send(.start)
    await store.receive(.note("after"))
    await first.finish()
    store.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.note("after"))
    await second.finish()
    await store.finish()
  }

  @Test func `A delayed run that is cancelled never starts (C2, E3)`() async {
    let store = counterStore(Effect.run(id: "work", overlap: .concurrent) { $0(.increment) }.delay(for: .seconds(1)))
    store.send(.start)
    store.advance(by: .milliseconds(999))
    store.send(.stop)
    store.advance(by: .seconds(5))
    let sent = store.send(.start)
    sent.cancel()
    store.advance(by: .seconds(5))
    await store.finish()
    #expect(store.scheduler.isIdle)
  }

  @Test func `At one instant sleepers and modifiers come in the order in which they were set (C3)`() async {
    let diary = Diary<String>()
    func sleeper(_ name: String) -> Effect<CounterAction> {
      .run { send in
        try await send.sleep(for: .seconds(1))
        diary.write(name)
      }
    }
    func delayed(_ name: String) -> Effect<CounterAction> {
      Effect.run { _ in diary.write(name) }.delay(for: .seconds(1))
    }
    // Sleepers fall asleep after the turn in which the delays are set.
    let store = counterStore(.merge(sleeper("c"), delayed("a"), sleeper("d"), delayed("b")))
    store.send(.start)
    store.advance(by: .seconds(1))
    #expect(diary.all == ["a", "b", "c", "d"])
    await store.finish()
  }

  @Test func `A delay that is set after a sleeper of the same instant comes after it (C3)`() async {
    let diary = Diary<String>()
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, number in
        number == 0
          ? .run { send in
            try await send.sleep(for: .seconds(2))
            diary.write("sleeper")
          } : Effect.run { _ in diary.write("delayed") }.delay(for: .seconds(1))
      })
    store.send(0)
    store.advance(by: .seconds(1))
    store.send(1)
    store.advance(by: .seconds(1))
    #expect(diary.all == ["sleeper", "delayed"])
    await store.finish()
  }

  @Test func `Every attempt, and catch, has a token: late actions of an ended one are dropped (E1, C2)`() async {
    let gates = [Gate(), Gate()]
    let attempts = Diary<Int>()
    let store = counterStore(
      Effect.run(id: "work", overlap: .concurrent) { send in
        let attempt = attempts.count
        attempts.write(attempt)
        send(.set(attempt))
        // Ignores its cancellation, and sends long after its time limit.
        await gates[attempt].wait()
        send(.set(100 + attempt))
        throw Broken()
      } catch: { error, send in
        send(.note("\(error) at \(send.now)"))
      }
      .timeout(after: .seconds(2)).retry(attempts: 2, backoff: .constant(.seconds(1))))
    store.send(.start)
    await store.receive(.set(0))
    store.advance(by: .seconds(2))
    gates[0].open()
    store.advance(by: .seconds(1))
    await store.receive(.set(1)) { $0.count = 1 }
    store.advance(by: .seconds(2))
    await store.receive(.note("timed out after 2.0 seconds at 5.0 seconds"))
    gates[1].open()
    await store.finish()
    #expect(store.scheduler.droppedActions == 2)
    #expect(store.scheduler.isIdle)
    #expect(store.scheduler.timedCount == 0)
  }

  @Test func `A closure that goes on after its time limit is reported at the end (E2)`() async {
    let gate = Gate()
    let store = counterStore(
      work { _ in await gate.wait() }.timeout(after: .seconds(1)).retry(attempts: 1))
    store.externalWait = .milliseconds(1)
    store.send(.start)
    let found = await failures {
      store.advance(by: .seconds(1))
      await store.finish()
    }
    #expect(
      found.map(\.text) == [
        """
        A run timed out after 1.0 seconds and has no `catch`:

          run("work").timeout(after: 1.0 seconds).retry(attempts: 1) at App/Feature.swift:12

        Let the feature handle it: add `catch: { error, send in send(.failed("\\(error)")) }` to the run, and \
        `case failed(String)` to the actions if there is none, and reduce that action. Or give the run more time.
        """,
        """
        A run was cancelled and goes on at the end of the test:

          run("work").timeout(after: 1.0 seconds).retry(attempts: 1) at App/Feature.swift:12, caused by .start: suspended \
        outside of the test's control; it did not see time move on from 0.0 seconds, because it was suspended outside \
        then: write `await store.settle()` before `advance`

        Nothing it sends is reduced any more, but the closure has not returned: it ignores its cancellation. Call \
        `try Task.checkCancellation()` in its loops, and let the error of a cancelled wait through.
        """,
      ])
    gate.open()
  }

  @Test func `A timer ticks on a grid until it is cancelled (C6)`() async {
    let store = counterStore(.timer(id: "work", overlap: .restart, every: .seconds(2)) { .set($0) })
    store.send(.start)
    store.advance(by: .seconds(7))
    for tick in 1...3 {
      await store.receive(.set(tick)) { $0.count = tick }
    }
    #expect(store.clock.now.offset == .seconds(7))
    store.advance(by: .seconds(1))
    await store.receive(.set(4)) { $0.count = 4 }
    // A second timer replaces the first, and has a separate grid.
    store.advance(by: .seconds(1))
    store.send(.start)
    store.advance(by: .seconds(2))
    await store.receive(.set(1)) { $0.count = 1 }
    store.send(.stop)
    store.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `Timers send the same action, and take ids of any type`() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, String> { state, action in
        switch action {
        case "start":
          return .merge(
            .timer(id: 7, overlap: .restart, every: .seconds(1), "tick"), .timer(every: .seconds(3), "slow"))
        case "stop": return .cancel(.everything)
        default:
          state += 1
          return .none
        }
      })
    store.send("start")
    store.advance(by: .seconds(3))
    for (count, action) in ["tick", "tick", "slow", "tick"].enumerated() {
      await store.receive(action) { $0 = count + 1 }
    }
    store.send("stop")
    await store.finish()
  }

  // MARK: - Steps

  @Test func `The next instant may be that of a modifier, but not the end of a window without a waiting run`() async {
    let store = counterStore(
      .merge(
        Effect.run { $0(.increment) }.delay(for: .seconds(3)),
        Effect.run(id: "throttled", overlap: .concurrent) { _ in }.throttle(for: .seconds(1))))
    store.send(.start)
    store.advanceToNext()
    #expect(store.clock.now.offset == .seconds(3))
    await store.receive(.increment) { $0.count = 1 }
    store.runUntilIdle()
    #expect(store.clock.now.offset == .seconds(3))
    await store.finish()
    #expect(store.scheduler.timedCount == 0)
  }

  @Test func `A time limit does not make a run asleep: it is waited for (C2)`() async {
    let store = counterStore(
      Effect.run(id: "work", overlap: .concurrent) { send in
        await Task.detached {}.value
        send(.increment)
      }
      .timeout(after: .seconds(1)))
    store.send(.start)
    await store.receive(.increment) { $0.count = 1 }
    await store.finish()
  }

  @Test func `A run that waits for its time is in flight at the end, and the text says when it starts`() async {
    let store = counterStore(work { _ in }.debounce(for: .seconds(3)))
    store.send(.start)
    store.advance(by: .seconds(1))
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          A run is still in flight at the end of the test:

            run("work").debounce(for: 3.0 seconds) at App/Feature.swift:12, caused by .start: starts in 2.0 seconds

          Let it end before `finish()`: `store.advance(by: .seconds(2))`, send what cancels it, or cancel what was sent.
          """)
      ])
  }

  @Test func `A run that waits for its next attempt is in flight, and the text says when it tries again`() async {
    let store = counterStore(
      work { _ in throw Broken() }.retry(attempts: 2, backoff: .constant(.seconds(3))))
    store.send(.start)
    let found = await failures {
      await store.receive(.increment)
      _ = store.fork()
    }
    #expect(
      found.map(\.text.firstLine) == [
        "Expected to receive .increment, but no action arrived.",
        "A test store cannot be forked while runs are in flight, because runs cannot be copied:",
      ])
    #expect(
      found.allSatisfy {
        $0.text.contains(
          """
            run("work").retry(attempts: 2, backoff: constant(3.0 seconds)) at App/Feature.swift:12, caused by .start: tries \
          again in 3.0 seconds
          """)
      })
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `A modifier that needs an id reports it`() async {
    for (name, effect) in [
      (
        "debounce", Effect<CounterAction>.run(fileID: "App/Feature.swift", line: 12) { _ in }.debounce(for: .seconds(1))
      ),
      ("throttle", .run(fileID: "App/Feature.swift", line: 12) { _ in }.throttle(for: .seconds(1))),
    ] {
      let store = counterStore(effect)
      let found = await failures {
        store.send(.start)
        await store.finish()
      }
      #expect(
        found.map(\.text) == [
          """
          A run with a \(name) has no id, and was not started:

            run().\(name)(for: 1.0 seconds) at App/Feature.swift:12

          `\(name)` decides about the runs of one id. Give the run one, by the arguments \
          `id: "search", overlap: .restart`, or by `.cancellable(id: "search", overlap: .restart)` on the run itself.
          """
        ])
    }
  }

  @Test func `A send with a window and without an id is named as a send`() async {
    let store = counterStore(.send(.note("late")).debounce(for: .seconds(1), fileID: "App/Feature.swift", line: 12))
    let found = await failures {
      store.send(.start)
      await store.finish()
    }
    #expect(
      found.map(\.text) == [
        """
        A `send` with a debounce has no id, and was not started:

          run(name: "send").debounce(for: 1.0 seconds) at App/Feature.swift:12

        `debounce` decides about the work of one id. Give the send one, by \
        `.cancellable(id: "search", overlap: .restart)` on the `send` itself.
        """
      ])
  }

  @Test func `Due timers fire before the actions that a run sends at that instant (C3)`() async {
    enum Action: Equatable, Sendable { case begin, stop }
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        if action == .stop { return .cancel(id: "late") }
        return .merge(
          .run(name: "early") { send in
            try await send.sleep(for: .milliseconds(100))
            send(.stop)
          },
          Effect.run(id: "late", overlap: .concurrent) { send in try await send.sleep(for: .seconds(1)) }.delay(
            for: .milliseconds(100)))
      })
    store.send(.begin)
    store.advance(by: .milliseconds(100))
    await store.receive(.stop)
    await store.finish()
    let told = store.trace.map { "\($0.kind)" }
    let start = told.firstIndex { $0.hasSuffix("started") && $0.hasPrefix("run 2") }
    let stop = told.firstIndex { $0.hasPrefix("reduced .stop") }
    #expect(start.flatMap { start in stop.map { start < $0 } } == true)
  }

  @Test func `The backoff of a retry is called outside of any state change, and may send (E8)`() async {
    let asked = Diary<String>()
    let store = counterStore(
      Effect.run(id: "work", overlap: .concurrent) { _ in
        throw Broken()
      } catch: { _, send in
        send(.note("caught"))
      }
      .retry(
        attempts: 3,
        backoff: Backoff { error, attempt in
          asked.write("\(error) \(attempt)")
          return asked.count < 2 ? .zero : nil
        }))
    store.send(.start)
    await store.receive(.note("caught"))
    #expect(asked.all == ["Broken() 1", "Broken() 2"])
    await store.finish()
  }
}

extension String {
  fileprivate var firstLine: Substring { prefix { $0 != "\n" } }
}
