// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Holds the test store for the reducer of the same store.
private final class Holder {
  var store: TestStore<Reduce<Int, CounterAction>>?
}

/// Passes a value to another thread because of `@unchecked Sendable`.
private final class Smuggled: @unchecked Sendable {
  var store: TestStore<Reduce<Counter, CounterAction>>?
}

/// An object as a state, which is equal before and after a change.
private final class Score: Equatable {
  var points = 0
  static func == (left: Score, right: Score) -> Bool { left.points == right.points }
}

/// The texts for a test store that is called from its own reducer or run, or with a state that it cannot compare; word
/// for word.
@Suite struct `Failure texts of misuse` {
  @Test func `A step inside the reducer`() async {
    let holder = Holder()
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, CounterAction> { [holder] state, action in
        if action == .start { holder.store?.send(.increment, line: 7) { $0 += 1 } }
        state += 1
        return .none
      })
    holder.store = store
    let found = await failures { store.send(.start) { $0 = 1 } }
    holder.store = nil
    #expect(
      found == [
        Failure(
          line: 7,
          """
          send(.increment) is called inside `reduce`, in the middle of another step. A reducer changes the state it is \
          given and returns what is to happen as an effect, such as `.send` or `.run`.
          """)
      ])
    #expect(store.state == 1)
    await store.finish()
  }

  @Test func `A step inside a run`() async {
    let smuggled = Smuggled()
    let store = counterStore(
      work { send in
        await smuggled.store?.finish(line: 7)
        smuggled.store?.advance(by: .seconds(1), line: 8)
        await smuggled.store?.receive(.increment, line: 9) { $0.count = 1 }
        send(.increment)
      })
    smuggled.store = store
    let found = await failures { store.send(.start) }
    let sent = #line - 1
    smuggled.store = nil
    let lines = [("finish()", 7), ("advance(by: 1.0 seconds)", 8), ("receive(.increment)", 9)]
    #expect(
      found
        == lines.map { step, line in
          Failure(
            line: line,
            """
            \(step) is called inside a run of the same store, in the middle of another step. A run sends by its own \
            `send`; the steps belong to the test.

            It happened in run("work") at App/Feature.swift:12, caused by .start at \
            EffectTestingTests/FailureTextOfMisuseTests.swift:\(sent).
            """)
        })
    await store.receive(.increment) { $0.count = 1 }
    #expect(store.clock.now == TestClock.Instant())
    await store.finish()
  }

  @Test func `The state read inside the reducer`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let holder = Holder()
      let store = TestStore(
        initialState: 0,
        reducer: Reduce<Int, CounterAction> { [holder] state, _ in
          state = holder.store?.state ?? 0
          return .none
        })
      holder.store = store
      store.send(.start, fileID: "AppTests/FeedTests.swift", line: 7)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let text = "TestStore: `state` was read inside `reduce`; use the one `reduce` was given"
    #expect(output.contains("AppTests/FeedTests.swift:7: Fatal error: \(text)\n"), "\(output)")
  }

  @Test func `The reducer read inside the reducer`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let holder = Holder()
      let store = TestStore(
        initialState: 0,
        reducer: Reduce<Int, CounterAction> { [holder] _, _ in
          _ = holder.store?.reducer
          return .none
        })
      holder.store = store
      store.send(.start, fileID: "AppTests/FeedTests.swift", line: 7)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let text = """
      TestStore: `reducer` was read inside `reduce`; a reducer uses only the state and the action that it is given, \
      so read `reducer` in the test, behind the step
      """
    #expect(output.contains("AppTests/FeedTests.swift:7: Fatal error: \(text)\n"), "\(output)")
  }

  @Test func `A state that is an object`() async {
    let found = await failures {
      let store = TestStore(
        initialState: Score(),
        reducer: Reduce<Score, CounterAction> { state, _ in
          state.points += 1
          return .none
        }, line: 7)
      store.send(.start)
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: 7,
          """
          The state is an object of the class Score: before and after a step it is the same one, so no change of it can be \
          seen or proved. Make the state a struct or an enum.
          """)
      ])
  }
}
