// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

@Suite struct `A test that does not prove everything` {
  private struct Form: Equatable {
    var name = ""
    var count = 0
  }

  private func formStore(_ effect: @autoclosure @escaping () -> Effect<CounterAction> = .none)
    -> TestStore<Reduce<Form, CounterAction>>
  {
    let store = TestStore(
      initialState: Form(),
      reducer: Reduce<Form, CounterAction> { state, action in
        switch action {
        case .note(let name):
          state.name = name
          state.count += 1
          return .none
        case .start: return effect()
        default:
          state.count += 1
          return .none
        }
      })
    store.exhaustivity = .off
    return store
  }

  @Test func `checks only those parts of the state that it names`() async {
    let store = formStore()
    store.send(.note("a"))
    store.send(.note("b")) { $0.name = "b" }
    store.send(.note("c")) { $0.count = 3 }
    store.send(.note("d")) { _ in }
    await store.finish()
  }

  @Test func `may be a block, behind which everything is proved again`() async throws {
    let store = formStore(.send(.increment))
    store.exhaustivity = .on
    let count = await store.withExhaustivity(.off) {
      store.send(.note("a"))
      await Task.yield()
      return store.state.count
    }
    #expect(count == 1)
    #expect(store.exhaustivity == .on)
    struct Stop: Error {}
    await #expect(throws: Stop.self) { try await store.withExhaustivity(.off) { throw Stop() } }
    #expect(store.exhaustivity == .on)
    let found = await failures { store.send(.note("b")) }
    #expect(found.count == 1)
    store.send(.note("b")) { $0.count = 3 }
    await store.finish()
  }

  @Test func `calls each closure once`() async {
    let store = formStore(.send(.increment))
    var calls = 0
    store.send(.note("a")) { _ in calls += 1 }
    store.send(.start) { _ in calls += 1 }
    await store.receive(.increment) { _ in calls += 1 }
    store.exhaustivity = .off(showSkipped: true)
    let notes = Diary<String>()
    Reporter.$noteDiversion.withValue(Reporter.NoteDiversion { notes.write($0) }) {
      store.send(.stop) {
        $0.count = 3
        calls += 1
      }
    }
    #expect(notes.count == 1)
    store.exhaustivity = .on
    store.send(.stop) {
      $0.count = 4
      calls += 1
    }
    #expect(calls == 5)
    await store.finish()
  }

  @Test func `fails if it states a wrong value`() async {
    let store = formStore()
    let found = await failures {
      store.send(.note("a")) { $0.name = "b" }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The state after sending .note("a") is not what the test expects (- expected, + actual):

            name:
              - "b"
              + "a"

          With `exhaustivity` off, the closure is given the state after the step and must change nothing: assign new \
          values by `=`, and do not use `+=`, `append` or other code that depends on the former value. Otherwise fix the \
          reducer.
          """)
      ])
    await store.finish()
  }

  @Test func `receives the action it waits for, and reduces those before`() async {
    let store = formStore(
      work { send in
        for name in ["a", "b", "c", "d"] {
          try await send.sleep(for: .seconds(1))
          send(.note(name))
        }
      })
    store.send(.start)
    store.advance(by: .seconds(10))
    await store.receive(.note("c")) { $0.name = "c" }
    store.assert { $0.count = 3 }
    store.send(.stop)
    #expect(store.state == Form(name: "d", count: 5))
    await store.finish()
  }

  @Test func `fails if the action it waits for never comes, and shows what came`() async {
    let store = formStore(work { send in for name in ["a", "b"] { send(.note(name)) } })
    store.send(.start)
    let found = await failures {
      await store.receive(.note("c"))
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .note("c"), but these are all that arrived:

            .note("a") from run("work") at App/Feature.swift:12
            .note("b") from run("work") at App/Feature.swift:12

          Nothing is in flight, so nothing can send it. Does an effect send it at all, or did an earlier step \
          receive it? A run that was cancelled, replaced or has ended sends nothing more: does a task outlive it?
          """)
      ])
    await store.finish()
  }

  @Test func `may leave work unfinished, which is cancelled`() async {
    let ended = Diary<String>()
    let store = formStore(
      .merge(
        work { send in
          do { try await send.sleep(for: .seconds(1)) } catch { ended.write("cancelled") }
        },
        .send(.increment)))
    store.send(.start)
    store.skipReceived()
    store.skipReceived()
    await store.finish()
    #expect(ended.all == ["cancelled"])
    let silent = formStore()
    silent.cancelInFlight()
    silent.send(.start)
  }

  @Test func `may leave out finish as well`() async {
    let store = formStore(.merge(.send(.increment), work { send in try await send.sleep(for: .seconds(1)) }))
    store.send(.start)
  }

  @Test func `still fails for errors, endless turns and runs that ignore their cancellation (E5)`() async {
    struct Broken: Error {}
    let gate = Gate()
    let store = counterStore(
      .merge(work { _ in await gate.wait() }, .run { _ in throw Broken() }))
    store.exhaustivity = .off
    store.externalWait = .milliseconds(20)
    let found = await failures {
      store.send(.start)
      store.send(.stop)
      store.skipReceived()
      await store.finish()
    }
    #expect(found.map { $0.text.prefix(22) } == ["A run threw an error a", "A run was cancelled an"])
    gate.open()
  }

  @Test func `does not wait for unfinished work`() async {
    let gate = Gate()
    let store = formStore(work { _ in await gate.wait() })
    store.externalWait = plenty
    store.send(.start)
    await store.finish()
    gate.open()
  }
}
