// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Runs have nothing of the task that takes the steps, and their failures belong to the test nevertheless.
@Suite struct `Task-locals of a test` {
  private enum Locals {
    @TaskLocal static var name = "none"
  }

  @Test func `A run, its catch closure and its tasks inherit no task-locals of the test (L6)`() async {
    struct Broken: Error {}
    let work = Effect<CounterAction>.run { send in
      send(.note(Locals.name))
      async let child = Locals.name
      await send(.note(child))
      throw Broken()
    } catch: { _, send in
      send(.note("caught: \(Locals.name)"))
    }
    let store = Locals.$name.withValue("of the test") {
      let store = counterStore(work)
      store.send(.start)
      return store
    }
    await store.receive(.note("none"))
    await store.receive(.note("none"))
    await store.receive(.note("caught: none"))
    await store.finish()
  }

  @Test func `A run of an exploration inherits no task-locals of the test (L6)`() async {
    let reducer = Reduce<String, String> { state, action in
      state += action
      return action == "" ? .run { send in send(Locals.name) } : .none
    }
    let found = await Locals.$name.withValue("of the test") {
      await explore(initialState: "", reducer: reducer) {
        $0.send("")
      } finally: {
        $0 == "none"
      }
    }
    #expect(found.failure == nil)
  }

  @Test func `A failure of the library in a run is reported by the step of its test, at its own line (L6)`() async {
    let mock = Mock<Void, Int>()
    let store = counterStore(work { _ in mock.answer(1) })
    let found = await failures {
      store.send(.start)
      await store.finish()
    }
    #expect(found.map(\.line) == [#line - 5])
    #expect(found.first?.text.hasPrefix("There is no call to answer") == true)
    let other = counterStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        mock.answer(1)
      })
    other.send(.start)
    let texts = await reportedFailures { other.advance(by: .seconds(1)) }
    #expect(texts.count == 1)
    await other.finish()
  }

  @Test func `A failure of the library in a run of an exploration is reported by the exploration (L6)`() async {
    let found = await failures {
      let mock = Mock<Void, Int>()
      await explore(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .run { _ in mock.answer(1) } }) { $0.send(1) }
    }
    #expect(found.first?.line == #line - 2)
    #expect(found.first?.text.hasPrefix("There is no call to answer") == true)
  }
}
