// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// A known issue does not fail a test, so it must not hide a failure after it. Otherwise such a test would always pass.
@Suite struct `Behind a known issue` {
  /// The first lines of the failures that are reported outside of the known issues in a body.
  private func heads(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async -> [String] {
    await failures(knownIssuesCount: false) { await body() }.map { String($0.text.prefix { $0 != "\n" }) }
  }

  private var sleeper: Effect<CounterAction> { work { send in try await send.sleep(for: .seconds(1)) } }

  private func sender(_ actions: CounterAction...) -> Effect<CounterAction> {
    work { send in for action in actions { send(action) } }
  }

  @Test func `A run that the known issue has named is reported at the end`() async {
    let store = counterStore(sleeper)
    store.send(.start)
    let heads = await heads {
      await knownIssue { await store.receive(.increment) { $0.count = 1 } }
      await store.finish()
    }
    #expect(heads == ["A run is still in flight at the end of the test:"])
  }

  @Test func `An action that the known issue has found instead is reported by the next step`() async {
    let store = counterStore(sender(.increment))
    store.send(.start)
    let heads = await heads {
      await knownIssue { await store.receive(.decrement) { $0.count = -1 } }
      await store.finish()
    }
    #expect(heads == ["An action was received before finish(), and the test does not say so:"])
  }

  @Test func `A receive that waits for an action that a known issue has reported fails`() async {
    let store = counterStore(sender(.increment))
    store.send(.start)
    let heads = await heads {
      await knownIssue { store.send(.note("next")) }
      await store.receive(.increment) { $0.count = 1 }
      await store.finish()
    }
    #expect(heads == ["Expected to receive .increment, but no action arrived."])
  }

  @Test func `A run that an action of the known issue has started is reported at the end`() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, action in
        switch action {
        case 0: .run { send in send(1) }
        case 1: .run(id: "late", overlap: .concurrent) { send in try await send.sleep(for: .seconds(1)) }
        default: .none
        }
      })
    store.send(0)
    let heads = await heads {
      await knownIssue { store.send(2) }
      await store.finish()
    }
    #expect(heads == ["A run is still in flight at the end of the test:"])
  }

  @Test func `A missing action after an error that a known issue has reported is a failure`() async {
    struct Broken: Error {}
    let store = counterStore(work { _ in throw Broken() })
    let heads = await heads {
      await knownIssue { store.send(.start) }
      await store.receive(.increment) { $0.count = 1 }
      await store.receive(.increment) { $0.count = 2 }
      await store.finish()
    }
    #expect(heads == Array(repeating: "Expected to receive .increment, but no action arrived.", count: 2))
  }

  @Test func `A drop that the known issue has named is reported by the next step`() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, action in
        guard action == 0 else { return .cancel(id: "work") }
        return .run(id: "work", overlap: .concurrent) { send in
          send(5)
          send(6)
        }
      })
    store.assertsDrops = true
    let heads = await heads {
      store.send(0)
      await store.receive(5)
      // The effect of 5 has cancelled the run, so 6 was dropped.
      await knownIssue { store.send(1) }
      await store.finish()
    }
    #expect(heads == ["An action was dropped before finish(), and the test does not say so:"])
  }

  @Test func `A store that is finished twice, the first time in a known issue, fails`() async {
    let store = TestStore(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none })
    let heads = await heads {
      await knownIssue { await store.finish() }
      store.send(1)
    }
    #expect(heads == ["send(1) comes after `finish()`, which ends the test. Move it before, or make another store."])
  }

  @Test func `A step that comes too late in a known issue does not excuse the next one`() async {
    let store = counterStore()
    store.send(.increment) { $0.count = 1 }
    await store.finish()
    let heads = await heads {
      await knownIssue { store.send(.increment) { $0.count = 2 } }
      store.send(.increment) { $0.count = 2 }
    }
    #expect(heads.count == 1)
  }

  @Test func `The matching closure of a known issue decides by the text`() async {
    let store = counterStore(sleeper)
    store.send(.start)
    // The matching closure does not accept that the state differs: this is a failure, and is reported outside as well.
    let heads = await heads {
      await knownIssue {
        store.send(.increment) { $0.count = 7 }
        await store.receive(.decrement) { $0.count = 0 }
      } matching: {
        $0.hasPrefix("Expected to receive")
      }
      await store.finish()
    }
    #expect(
      heads == [
        "The state after sending .increment is not what the test expects (- expected, + actual):",
        "A run is still in flight at the end of the test:",
      ])
  }
}
