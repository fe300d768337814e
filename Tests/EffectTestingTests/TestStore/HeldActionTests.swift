// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization
import Testing

@testable import EffectTesting

private struct Log: Equatable {
  var entries: [String] = []
}

/// A feature that records every action, and returns the effect that the test specifies for it.
private func logStore(
  _ effects: [String: Effect<String>], line: UInt = #line
) -> TestStore<Reduce<Log, String>> {
  TestStore(
    initialState: Log(),
    reducer: Reduce { state, action in
      state.entries.append(action)
      return effects[action] ?? .none
    }, line: line)
}

/// A held action is not reduced before the test receives it, and neither are the actions after it.
@Suite struct `Held actions` {
  @Test func `Follow-ups are held in turn order, ahead of everything from the mailbox (T3)`() async {
    let store = logStore([
      "go": .merge(.run { send in send("run") }, .send("a"), .send("b")),
      "a": .send("c"),
    ])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("a") { $0.entries += ["a"] }
    await store.receive("b") { $0.entries += ["b"] }
    await store.receive("c") { $0.entries += ["c"] }
    await store.receive("run") { $0.entries += ["run"] }
    await store.finish()
  }

  @Test func `A received action begins a turn of its own, with its follow-ups ahead of the next one (T3)`() async {
    let store = logStore([
      "go": .run { send in
        send("first")
        send("second")
      },
      "first": .merge(.send("x"), .send("y")),
      "x": .send("z"),
    ])
    store.send("go") { $0.entries = ["go"] }
    for action in ["first", "x", "y", "z", "second"] {
      await store.receive(action) { $0.entries += [action] }
    }
    await store.finish()
  }

  @Test func `The state at receive is the state before that action, also if others arrived meanwhile`() async {
    let store = logStore(["go": .run { send in for action in ["1", "2", "3"] { send(action) } }])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("1") { state in
      #expect(state.entries == ["go"])
      state.entries = ["go", "1"]
    }
    #expect(store.state.entries == ["go", "1"])
    await store.receive("2") { $0.entries += ["2"] }
    await store.receive("3") { $0.entries += ["3"] }
    await store.finish()
  }

  @Test func `A held action delays the end of its run, and what waits for that end`() async {
    let store = logStore([
      "go": .concatenate(.run { send in send("work") }, .send("then")),
      "work": .none,
    ])
    store.send("go") { $0.entries = ["go"] }
    #expect(!store.scheduler.isIdle)
    await store.receive("work") { $0.entries += ["work"] }
    await store.receive("then") { $0.entries += ["then"] }
    #expect(store.scheduler.isIdle)
    await store.finish()
  }

  @Test func `While an action is held its run keeps its slot, so a queued run does not start (O2)`() async {
    let started = Atomic<Int>(0)
    let store = logStore([
      "one": .run(id: "x", overlap: .enqueue) { send in send("done one") },
      "two": .run(id: "x", overlap: .enqueue) { send in
        started.add(1, ordering: .relaxed)
        send("done two")
      },
      "go": .merge(.send("one"), .send("two")),
    ])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("one") { $0.entries += ["one"] }
    await store.receive("two") { $0.entries += ["two"] }
    #expect(started.load(ordering: .relaxed) == 0)
    await store.receive("done one") { $0.entries += ["done one"] }
    #expect(started.load(ordering: .relaxed) == 1)
    await store.receive("done two") { $0.entries += ["done two"] }
    await store.finish()
  }

  @Test func `Runs go on while an action is held; only what they send waits`() async {
    let progress = Atomic<Int>(0)
    let store = logStore([
      "go": .run { send in
        send("held")
        progress.add(1, ordering: .relaxed)
      }
    ])
    store.send("go") { $0.entries = ["go"] }
    #expect(progress.load(ordering: .relaxed) == 1)
    await store.receive("held") { $0.entries += ["held"] }
    await store.finish()
  }

  @Test func `Delivered returns when the whole turn of its action has been received`() async {
    let progress = Lock<[String]>([])
    let store = logStore([
      "go": .run { send in
        let wasReduced = await send.delivered("tick")
        progress.withLock { $0.append("delivered \(wasReduced)") }
      },
      "tick": .send("follow-up"),
    ])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("tick") { $0.entries += ["tick"] }
    #expect(progress.withLock { $0 } == [])
    await store.receive("follow-up") { $0.entries += ["follow-up"] }
    #expect(progress.withLock { $0 } == ["delivered true"])
    await store.finish()
  }

  @Test func `Delivered says false for an action that is dropped (E1)`() async {
    let answers = Lock<[Bool]>([])
    let store = logStore([
      "go": .run(id: "x", overlap: .concurrent) { send in
        send("stop")
        let wasReduced = await send.delivered("late")
        answers.withLock { $0.append(wasReduced) }
      },
      "stop": .cancel(id: "x"),
    ])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("stop") { $0.entries += ["stop"] }
    await store.finish()
    #expect(answers.withLock { $0 } == [false])
  }

  @Test func `Delivered says true for an action that was reduced, also if its turn cancels the run (E1)`() async {
    let answers = Lock<[Bool]>([])
    let store = logStore([
      "go": .run(id: "x", overlap: .concurrent) { send in
        // No cancellation reaches this task.
        let wasReduced = await Task.detached { await send.delivered("stop") }.value
        answers.withLock { $0.append(wasReduced) }
      },
      "stop": .cancel(id: "x"),
    ]).patient
    store.send("go") { $0.entries = ["go"] }
    await store.receive("stop") { $0.entries += ["stop"] }
    await store.finish()
    #expect(answers.withLock { $0 } == [true])
  }

  @Test func `What a run sent before the action that cancels it was received is dropped (E1)`() async {
    let store = logStore([
      "go": .run(id: "x", overlap: .concurrent) { send in for action in ["stop", "late", "later"] { send(action) } },
      "stop": .cancel(id: "x"),
    ])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("stop") { $0.entries += ["stop"] }
    await store.finish()
    #expect(store.scheduler.droppedActions == 2)
  }

  @Test func `Cancelling a sent action drops what its runs have not sent yet (L2)`() async {
    let store = logStore([
      "go": .run { send in
        send("early")
        try await send.sleep(for: .seconds(1))
        send("late")
      }
    ])
    let go = store.send("go") { $0.entries = ["go"] }
    await store.receive("early") { $0.entries += ["early"] }
    go.cancel()
    store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `A send effect of a part that was cancelled meanwhile is dropped (E6)`() async {
    let store = logStore([
      "go": .merge(.send("stop"), .merge(.send("late"), .run { _ in }).cancellable(id: "tree", overlap: .concurrent)),
      "stop": .cancel(id: "tree"),
    ])
    store.send("go") { $0.entries = ["go"] }
    await store.receive("stop") { $0.entries += ["stop"] }
    await store.finish()
  }
}

/// The clock stands still at the instant of the held action.
@Suite struct `Held actions and time` {
  private struct Stamped: Equatable {
    var seen: [String] = []
  }

  /// Sends an action after each of its sleeps, with the time when it woke and the time of the reduction.
  private func stampStore(_ effect: Effect<String>, _ more: [String: Effect<String>] = [:])
    -> TestStore<Reduce<Stamped, String>>
  {
    TestStore(
      initialState: Stamped(),
      reducer: Reduce { state, action in
        if action == "go" { return effect }
        state.seen.append(action)
        return more[action] ?? .none
      })
  }

  @Test func `Time stops at the first action, and goes on to its target when it is received (C3)`() async {
    let store = stampStore(
      .run { send in
        for _ in 1...3 {
          try await send.sleep(for: .seconds(1))
          send("\(send.now)")
        }
      })
    store.send("go")
    store.advance(by: .seconds(10))
    #expect(store.clock.now.offset == .seconds(1))
    await store.receive("1.0 seconds") { $0.seen = ["1.0 seconds"] }
    // The run slept on from the instant of its action, not from the target.
    #expect(store.clock.now.offset == .seconds(2))
    await store.receive("2.0 seconds") { $0.seen += ["2.0 seconds"] }
    await store.receive("3.0 seconds") { $0.seen += ["3.0 seconds"] }
    #expect(store.clock.now.offset == .seconds(10))
    await store.finish()
  }

  @Test func `A received action is reduced at the instant it arrived: its timers start then (C3)`() async {
    let store = stampStore(
      .run { send in
        try await send.sleep(for: .seconds(1))
        send("first")
      },
      [
        "first": .run { send in
          try await send.sleep(for: .seconds(3))
          send("\(send.now)")
        }
      ])
    store.send("go")
    store.advance(by: .seconds(10))
    await store.receive("first") { $0.seen = ["first"] }
    #expect(store.clock.now.offset == .seconds(4))
    await store.receive("4.0 seconds") { $0.seen += ["4.0 seconds"] }
    #expect(store.clock.now.offset == .seconds(10))
    await store.finish()
  }

  @Test func `An action that cancels a timer of the same instant is received before the timer fires (C3)`() async {
    let store = stampStore(
      .merge(
        .run { send in
          try await send.sleep(for: .seconds(1))
          send("stop")
        },
        .run(id: "other", overlap: .concurrent) { send in
          try await send.sleep(for: .seconds(1))
          send("late")
        }),
      ["stop": .cancel(id: "other")])
    store.send("go")
    store.advance(by: .seconds(5))
    await store.receive("stop") { $0.seen = ["stop"] }
    await store.finish()
    #expect(store.scheduler.droppedActions == 0)
  }

  @Test func `Every follow-up is reduced before time goes on`() async {
    let store = stampStore(
      .merge(
        .run { send in
          try await send.sleep(for: .seconds(1))
          send("a")
        },
        .run { send in
          try await send.sleep(for: .seconds(2))
          send("z")
        }),
      ["a": .send("b"), "b": .send("c")])
    store.send("go")
    store.advance(by: .seconds(3))
    for action in ["a", "b", "c"] {
      #expect(store.clock.now.offset == .seconds(1))
      await store.receive(action) { $0.seen += [action] }
    }
    #expect(store.clock.now.offset == .seconds(2))
    await store.receive("z") { $0.seen += ["z"] }
    #expect(store.clock.now.offset == .seconds(3))
    await store.finish()
  }

  @Test func `A skipped action is a failure, and time still reaches the target of the advance before`() async {
    let store = stampStore(
      .run { send in
        for _ in 1...3 {
          try await send.sleep(for: .seconds(1))
          send("\(send.now)")
        }
      })
    store.send("go")
    store.advance(by: .seconds(10))
    let found = await failures {
      store.advance(by: .seconds(1))
    }
    #expect(found.count == 1)
    #expect(store.state.seen == ["1.0 seconds", "2.0 seconds", "3.0 seconds"])
    #expect(store.clock.now.offset == .seconds(11))
    await store.finish()
  }

  @Test func `A finish that skips actions lets the runs behind them go on to the target`() async {
    let store = stampStore(
      .run { send in
        for _ in 1...3 {
          try await send.sleep(for: .seconds(1))
          send("\(send.now)")
        }
      })
    store.send("go")
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.finish()
    }
    #expect(found.map(\.text).map { $0.prefix(42) } == ["3 actions were received before finish(), a"])
  }
}
