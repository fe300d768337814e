// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// With `assertsDrops` on, a test must state each action that was dropped.
@Suite struct `Drops of a test store` {
  private typealias Feature = Reduce<Counter, CounterAction>

  /// A run that answers although it was cancelled. It does not check for cancellation.
  private static let stubborn = work { send in
    try? await send.sleep(for: .seconds(1))
    send(.set(1))
    send(.note("late"))
  }

  private func store(_ effect: Effect<CounterAction>, line: UInt = #line) -> TestStore<Feature> {
    let store = counterStore(effect, line: line)
    store.assertsDrops = true
    return store
  }

  private func heads(_ found: [Failure]) -> [String] {
    found.map { String($0.text.prefix { $0 != "\n" }) }
  }

  @Test func `Each drop is expected, by value, by case and by predicate, in its order (E1)`() async {
    let set = CasePath(embed: CounterAction.set, extract: { if case .set(let count) = $0 { count } else { nil } })
    let store = store(Self.stubborn)
    store.send(.start)
    store.send(.stop)
    #expect(await store.expectDrop(set) == 1)
    await store.expectDrop(.note("late"))
    store.send(.start)
    store.send(.stop)
    await store.expectDrop(where: { $0 == .set(1) })
    await store.expectDrop(where: { $0 != .increment })
    await store.finish()
  }

  @Test func `Without assertsDrops no drop must be expected, and an expectation may be anywhere`() async {
    let store = store(Self.stubborn)
    store.assertsDrops = false
    store.send(.start)
    store.send(.stop)
    await store.expectDrop(.note("late"))
    store.send(.start)
    store.send(.stop)
    await store.finish()
  }

  @Test func `With exhaustivity off no drop must be expected either`() async {
    let store = store(Self.stubborn)
    store.exhaustivity = .off
    store.send(.start)
    store.send(.stop)
    store.send(.increment) { $0.count = 1 }
    store.send(.start)
    store.send(.stop)
    await store.expectDrop(.note("late"))
    await store.finish()
  }

  @Test func `A drop from outside is waited for`() async {
    let gate = Gate()
    let store = store(
      work { send in
        await gate.wait()
        #expect(await !send.delivered(.set(1)))
      })
    store.send(.start)
    store.send(.stop)
    Task.detached { gate.open() }
    await store.expectDrop(.set(1))
    await store.finish()
  }

  @Test func `Drops of a replaced run, of a run that timed out, and of a task that outlives its run (E1)`() async {
    let (gate, sent) = (Gate(), Gate())
    let store = TestStore(
      initialState: Counter(),
      reducer: Feature { state, action in
        let late = Effect<CounterAction>.run(id: "a", overlap: .restart) { send in
          try? await send.sleep(for: .seconds(1))
          send(.set(1))
        } catch: { _, _ in
        }
        switch action {
        case .start: return late
        case .stop: return late.timeout(after: .milliseconds(1))
        case .note:
          return .run { send in
            Task.detached {
              await gate.wait()
              send(.set(3))
              sent.open()
            }
          }
        default: return .none
        }
      })
    store.assertsDrops = true
    store.send(.start)
    store.send(.start)
    await store.expectDrop(.set(1))
    store.advance(by: .seconds(1))
    await store.receive(.set(1))
    store.send(.stop)
    store.advance(by: .seconds(1))
    await store.expectDrop(.set(1))
    store.send(.note("outlived"))
    gate.open()
    await sent.wait()
    let found = await failures { await store.finish() }
    #expect(heads(found) == ["A run sent an action after its closure had returned, so the action was not reduced:"])
  }

  @Test func `A drop does not stop the time, and holds nothing`() async {
    let executor = TestExecutor()
    let effect = Effect<CounterAction>.merge(
      work { send in
        await Task(executorPreference: executor) {
          try? await send.sleep(for: .seconds(1))
          send(.set(1))
        }.value
      },
      .run { send in
        try await send.sleep(for: .seconds(2))
        send(.increment)
      })
    let store = TestStore(
      initialState: Counter(), reducer: counter(effect), executor: executor,
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.assertsDrops = true
    store.send(.start)
    store.send(.stop)
    store.advance(by: .seconds(2))
    #expect(store.clock.now.offset == .seconds(2))
    await store.receive(.increment) { $0.count = 1 }
    await store.expectDrop(.set(1))
    await store.finish()
  }

  @Test func `A fork asserts drops as well`() async {
    let store = store(Self.stubborn)
    let fork = store.fork()
    #expect(fork.assertsDrops)
    await fork.finish()
    await store.finish()
  }

  // MARK: - One mistake is one failure

  @Test func `One drop too many, and the drops after it`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    store.send(.stop)
    let found = await failures {
      await store.expectDrop(.note("late"))
      await store.finish()
    }
    #expect(
      heads(found) == ["Expected that this is dropped: .note(\"late\"), but another action was (- expected, + actual):"]
    )
  }

  @Test func `Two drops in the wrong order`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    store.send(.stop)
    let found = await failures {
      await store.expectDrop(.note("late"))
      await store.expectDrop(.set(1))
      await store.finish()
    }
    #expect(found.count == 1)
  }

  @Test func `A wrong value, and a drop that is expected too late`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    store.send(.stop)
    let wrong = await failures {
      await store.expectDrop(.set(2))
      await store.expectDrop(.note("late"))
    }
    #expect(wrong.count == 1)
    store.send(.start)
    store.send(.stop)
    let late = await failures {
      store.send(.increment) { $0.count = 1 }
      await store.expectDrop(.set(1))
      await store.expectDrop(.note("late"))
      await store.finish()
    }
    #expect(heads(late) == ["2 actions were dropped before send(.increment), and the test does not say so:"])
    let code = "\n\n  await store.expectDrop(.set(1))\n  await store.expectDrop(.note(\"late\"))\n\nOr fix the run: "
    #expect(late.first?.text.contains(code) == true)
  }

  @Test func `A drop that is expected too early`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    let found = await failures {
      await store.expectDrop(.set(1))
      store.send(.stop)
      await store.finish()
    }
    #expect(heads(found) == ["Expected that this is dropped: .set(1), but no action was."])
  }
}
