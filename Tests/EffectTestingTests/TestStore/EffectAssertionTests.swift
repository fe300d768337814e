// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

private enum RowID: Hashable { case load(Int) }

@Suite struct `Asserting effects` {
  private func makeStore() -> TestStore<Reduce<Counter, CounterAction>> {
    counterStore(
      .merge(
        .run(id: "search", overlap: .restart, input: "swift", fileID: "App/Search.swift", line: 12) { _, send in
          try await send.sleep(for: .seconds(1))
        },
        .run(id: RowID.load(3), overlap: .enqueue) { send in try await send.sleep(for: .seconds(2)) },
        .run(id: RowID.load(3), overlap: .enqueue) { send in try await send.sleep(for: .seconds(2)) },
        .run { send in try await send.sleep(for: .seconds(3)) }))
  }

  @Test func `All active work is listed, and at the end none (S1)`() async {
    let store = makeStore()
    store.assertEffects { _ in }
    store.send(.start)
    store.assertEffects {
      $0["search"] = EffectStatus(running: 1, input: "swift")
      $0[RowID.load(3)] = EffectStatus(running: 1, queued: 1)
      $0.unnamed = 1
    }
    #expect(store.effects["search"].isRunning)
    let (some, none): (RowID?, RowID?) = (.load(3), nil)
    #expect(store.effects[some].isRunning)
    #expect(store.effects[none].isIdle)
    store.advance(by: .seconds(2))
    store.assertEffects {
      $0[RowID.load(3)] = EffectStatus(running: 1)
      $0.unnamed = 1
    }
    store.advance(by: .seconds(3))
    store.assertEffects { _ in }
    #expect(store.effects.isEmpty)
    await store.finish()
  }

  @Test func `Without exhaustivity only what is set is compared`() async {
    let store = makeStore()
    store.exhaustivity = .off
    store.send(.start)
    store.assertEffects { $0["search"] = EffectStatus(running: 1, input: "swift") }
    let found = await failures {
      store.assertEffects { $0["search"] = EffectStatus() }
    }
    #expect(found.count == 1)
    store.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `A difference is named, with the line of the run`() async {
    let store = makeStore()
    store.send(.start)
    let found = await failures {
      store.assertEffects {
        $0["search"] = EffectStatus(running: 1, input: "swif")
        $0["refresh"] = EffectStatus(running: 1)
        $0[RowID.load(3)] = EffectStatus(running: 1, queued: 1)
      }
    }
    #expect(
      found == [
        Failure(
          line: #line - 6,
          """
          The active effects are not what the test asserts (- asserted, + actual):

            - "refresh": 1 running
            - "search": 1 running, input: "swif"
            + "search": 1 running, input: "swift" (App/Search.swift:12)
            - without an id: 0 running
            + without an id: 1 running

          A run counts from the action that starts it until its end has been taken, behind the actions it sent: receive \
          those first. With `exhaustivity` on every id with work is written down, and in `unnamed` and `unnamedQueued` \
          the number of runs without an id.
          """)
      ])
    store.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `A closure that throws compares nothing`() async {
    struct Broken: Error {}
    let store = makeStore()
    store.send(.start)
    let found = await failures { store.assertEffects { _ in throw Broken() } }
    #expect(
      found.map(\.text) == [
        "The closure of `assertEffects` threw an error, so the effects were not compared:\n\n  Broken()"
      ])
    store.advance(by: .seconds(10))
    await store.finish()
  }
}
