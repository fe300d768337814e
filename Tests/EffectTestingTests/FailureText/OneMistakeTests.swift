// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The consequences of a failure are not reported again. Other failures are.
@Suite struct `One mistake is one failure` {
  /// Sends these actions, one a second.
  private func sender(_ actions: [CounterAction]) -> Effect<CounterAction> {
    work { send in
      for action in actions {
        try await send.sleep(for: .seconds(1))
        send(action)
      }
    }
  }

  private func heads(_ found: [Failure]) -> [String] {
    found.map { String($0.text.prefix { $0 != "\n" }) }
  }

  private func other(_ expected: String) -> String {
    "Expected to receive \(expected), but the next action is another one (- expected, + actual):"
  }

  @Test func `A turn without end, before a step that would have to receive all of it`() async {
    let reducer = Reduce<Counter, CounterAction> { _, action in .send(action) }
    let store = TestStore(
      initialState: Counter(), reducer: reducer, executor: TestExecutor(jobLimit: 1_000),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    let found = await failures {
      store.send(.increment)
      await store.finish()
    }
    #expect(heads(found) == ["A turn has 1001 actions and still goes on; the last are:"])
  }

  @Test func `A missing action, and the actions after it`() async {
    let store = counterStore(sender([.set(2), .set(3)]))
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.receive(.set(3)) { $0.count = 3 }
      await store.finish()
    }
    #expect(heads(found) == [other(".set(1)")])
  }

  @Test func `One action too many, and the actions after it`() async {
    let store = counterStore(sender([.set(9), .set(1), .set(2)]))
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.finish()
    }
    #expect(heads(found) == [other(".set(1)")])
    #expect(store.state.count == 2)
  }

  @Test func `Another action instead, and the actions after it`() async {
    let store = counterStore(sender([.set(9), .set(2)]))
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.finish()
    }
    #expect(heads(found) == [other(".set(1)")])
  }

  @Test func `Two actions in the wrong order`() async {
    let store = counterStore(sender([.set(2), .set(1)]))
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.finish()
    }
    #expect(heads(found) == [other(".set(1)")])
    #expect(store.state.count == 1)
  }

  @Test func `Two other actions are two mistakes`() async {
    let store = counterStore(sender([.set(8), .set(9), .set(3)]))
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.receive(.set(3)) { $0.count = 3 }
      await store.finish()
    }
    #expect(heads(found) == [other(".set(1)"), other(".set(2)")])
  }

  @Test func `One missing action of several in any order, and the actions after it`() async {
    let store = counterStore(sender([.note("b"), .set(9), .note("c"), .note("a")]))
    store.send(.start)
    store.advance(by: .seconds(10))
    let found = await failures {
      await store.receive(unordered: [.note("a"), .note("b"), .note("c")])
      await store.finish()
    }
    #expect(heads(found) == [other("one of .note(\"a\"), .note(\"c\") (the rest of this step has come)")])
  }

  @Test func `A forgotten advance`() async {
    let store = counterStore(sender([.set(1), .set(2)]))
    store.send(.start)
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.finish()
    }
    #expect(heads(found) == ["Expected to receive .set(1), but no action arrived."])
  }

  @Test func `An advance that comes too late: the actions missed before are not reported again`() async {
    let store = counterStore(sender([.set(1), .set(2), .set(3)]))
    store.send(.start)
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      store.advance(by: .seconds(3))
      await store.receive(.set(3)) { $0.count = 3 }
      await store.finish()
    }
    #expect(found.count == 1)
  }

  @Test func `After a step between receives a missing action is reported again`() async {
    let store = counterStore(sender([.set(1)]))
    store.send(.start)
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      store.advance(by: .seconds(1))
      await store.receive(.set(1)) { $0.count = 1 }
      await store.receive(.set(2)) { $0.count = 2 }
      await store.finish()
    }
    #expect(
      heads(found) == [
        "Expected to receive .set(1), but no action arrived.", "Expected to receive .set(2), but no action arrived.",
      ])
  }

  @Test func `An action that came too early, and its receive afterwards`() async {
    let store = counterStore(sender([.set(1)]))
    store.send(.start)
    store.advance(by: .seconds(1))
    let found = await failures {
      store.send(.increment) { $0.count = 2 }
      await store.receive(.set(1)) { $0.count = 1 }
      await store.finish()
    }
    #expect(heads(found) == ["An action was received before send(.increment), and the test does not say so:"])
  }

  @Test func `An action that came before time goes on until nothing sleeps`() async {
    let store = counterStore(work { send in send(.increment) })
    store.send(.start)
    let found = await failures {
      store.runUntilIdle()
      await store.finish()
    }
    #expect(heads(found) == ["An action was received before runUntilIdle(), and the test does not say so:"])
  }

  @Test func `The effects of an unexpected action`() async {
    let reducer = Reduce<Counter, CounterAction> { state, action in
      switch action {
      case .start: return .run { send in send(.note("surprise")) }
      case .note:
        return .merge(
          .send(.increment),
          .run { send in
            send(.decrement)
            try await send.sleep(for: .seconds(60))
          })
      default: return .none
      }
    }
    let store = TestStore(initialState: Counter(), reducer: reducer)
    store.send(.start)
    let found = await failures {
      store.advance(by: .seconds(1))
      store.advance(by: .seconds(1))
      await store.finish()
    }
    #expect(heads(found) == ["3 actions were received before advance(by: 1.0 seconds), and the test does not say so:"])
  }

  @Test func `A run that a failure has named is not reported as in flight again`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    store.externalWait = .milliseconds(20)
    store.send(.start)
    let found = await failures {
      await store.settle()
      // Nothing is waited for twice.
      store.externalWait = plenty
      await store.receive(.increment) { $0.count = 1 }
      await store.finish()
    }
    #expect(found.count == 1)
    gate.open()
  }

  @Test func `A run that no failure has named is reported as in flight`() async {
    let store = counterStore(
      .merge(work { send in send(.increment) }, .run { send in try await send.sleep(for: .seconds(5)) }))
    let found = await failures {
      store.send(.start)
      await store.receive(.increment) { $0.count = 7 }
      await store.finish()
    }
    #expect(found.map { $0.text.prefix(26) } == ["The state after receiving ", "A run is still in flight a"])
  }

  @Test func `A run that threw, and the action that it did not send`() async {
    struct Refused: Error {}
    let store = counterStore(work { _ in throw Refused() })
    let found = await failures {
      store.send(.start)
      await store.receive(.set(1)) { $0.count = 1 }
      await store.finish()
    }
    #expect(found.map { $0.text.prefix(20) } == ["A run threw an error"])
  }

  @Test func `An action that comes twice is named twice, if only one was expected`() async {
    let store = counterStore(sender([.set(1), .set(1)]))
    store.send(.start)
    let found = await failures {
      await store.receive(.set(1)) { $0.count = 1 }
      store.advance(by: .seconds(10))
      await store.receive(.set(1)) { $0.count = 1 }
      await store.finish()
    }
    #expect(
      heads(found) == [
        "Expected to receive .set(1), but no action arrived.",
        "An action was received before finish(), and the test does not say so:",
      ])
  }

  @Test func `A test that is given up reports only new failures at its end`() async {
    let named = await failures {
      let store = counterStore(sender([.set(1)]))
      store.send(.start)
      await store.receive(.set(1)) { $0.count = 1 }
    }
    #expect(named.count == 1)
    let held = await failures {
      let store = counterStore(work { send in send(.set(2)) })
      store.send(.start)
      await store.receive(.set(1)) { $0.count = 1 }
    }
    #expect(held.count == 1)
  }
}
