// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The texts of tests that end without `finish()`, which each test must call.
@Suite struct `Failure texts of a forgotten finish` {
  @Test func `A forgotten finish, and a sleeper that belongs to no run`() async {
    let executor = TestExecutor()
    var clock: TestClock?
    let found = await failures {
      let store = TestStore(
        initialState: Counter(),
        reducer: counter(
          work { send in Task(executorPreference: executor) { try await send.sleep(for: .seconds(5)) } }),
        executor: executor, at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
      clock = store.clock
      store.send(.start)
    }
    #expect(
      found.map(\.text) == [
        """
        The test ended without `await store.finish()`, and not everything was over.

        In flight:

          a task of no known run, maybe detached, asleep for 5.0 seconds more

        First let the runs end, for example by `store.advance(by: .seconds(5))`. Then write `await store.finish()` as the last step.
        """
      ])
    clock?.runUntilIdle()
  }

  @Test func `A forgotten finish, and a run that ignores its cancellation, if the test does not prove everything`()
    async
  {
    let gate = Gate()
    let found = await failures {
      let store = counterStore(work { _ in await gate.wait() })
      store.exhaustivity = .off
      store.send(.start)
      store.cancelInFlight()
    }
    #expect(
      found.map { $0.text.prefix(70) } == ["A run was cancelled and goes on at the end of the test:\n\n  run(\"work\")"]
    )
    gate.open()
  }

  @Test func `A forgotten finish`() async {
    let found = await failures {
      let store = counterStore(
        .merge(work { send in try await send.sleep(for: .seconds(1)) }, .send(.increment)))
      store.send(.start)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The test ended without `await store.finish()`, and not everything was over.

          Arrived, and no `receive` step took it:

            .increment from a `.send` effect in the turn of .start

          To receive it, write `await store.receive(.increment) { $0.count = 1 }`.

          First receive what arrived. Then write `await store.finish()` as the last step.
          """)
      ])
  }
}
