// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Steps that would prove nothing. They are listed in the table on the page about misuse.
@Suite struct `Steps that prove nothing` {
  private let codec = RecordingCodec<Int, Int>(
    encodeState: { Array("\($0)".utf8) }, decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 },
    encodeAction: { Array("\($0)".utf8) }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })

  private var adding: Reduce<Int, Int> {
    Reduce { state, action in
      state += action
      return .none
    }
  }

  @Test func `A store that no step was taken with fails when it is finished`() async {
    let store = TestStore(initialState: 0, reducer: adding)
    let found = await failures { await store.finish() }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          No step was taken, so this test proves nothing.

          Call `store.send` before `finish()`, with a closure that sets what the action changes.
          """)
      ])
  }

  @Test func `Time that passes while nothing waits is no step`() async {
    let store = TestStore(initialState: 0, reducer: adding)
    let found = await failures {
      store.advance(by: .seconds(1))
      store.advance(to: .init(offset: .seconds(5)))
      await store.finish()
    }
    #expect(found.map(\.line) == [#line - 2])
    #expect(found.first?.text.hasPrefix("No step was taken") == true)
    let later = TestStore(initialState: 0, reducer: adding)
    later.advance(by: .seconds(1))
    later.send(1) { $0 = 1 }
    later.advance(by: .seconds(1))
    await later.finish()
  }

  @Test func `A store whose state or work was compared may be finished`() async {
    let first = TestStore(initialState: 0, reducer: adding)
    first.assert { $0 = 0 }
    await first.finish()
    let second = TestStore(initialState: 0, reducer: adding)
    second.assertEffects { _ in }
    await second.finish()
  }

  @Test func `A store that is released without any step fails at the line that made it`() async {
    let found = await failures {
      _ = TestStore(initialState: 0, reducer: adding)
      let other = TestStore(initialState: 0, reducer: adding)
      other.send(1) { $0 = 1 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 4,
          """
          No step was taken with this test store before it was released, so it proves nothing.

          Call `store.send`, with a closure that sets what the action changes, and `await store.finish()`. If a test does \
          not need the store, make it in the tests that do; if the test threw an error before its first step, fix that \
          first.
          """)
      ])
  }

  @Test func `A request whose answer is never read fails at its line`() async throws {
    let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    let found = try await failures {
      _ = store.request(.increment) { $0.count = 1 }
      let read = store.request(.increment) { $0.count = 2 }
      let count = try await read.answer { $0.count }
      #expect(count == 2)
      let cancelled = store.request(.start)
      cancelled.cancel()
      do { _ = store.request(.start) }
      store.advance(by: .seconds(1))
      await store.finish()
    }
    let advice = """
      Write `try await request.answer { $0 }` for what it returns, and compare the result. If the test needs no answer, use \
      `store.send`.
      """
    func text(_ action: String) -> String {
      "The answer of request(\(action)) was never read, so nothing is proved about it.\n\n\(advice)"
    }
    #expect(found == [Failure(line: #line - 17, text(".increment")), Failure(line: #line - 11, text(".start"))])
    let other = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    let late = await failures {
      _ = other.request(.start)
      other.advance(by: .seconds(1))
      await other.finish()
    }
    #expect(late == [Failure(line: #line - 4, text(".start"))])
  }

  @Test func `To receive no action fails, and says what is held`() async {
    let store = counterStore(work { send in send(.set(4)) })
    let found = await failures {
      await store.receive(unordered: [])
      store.send(.start)
      await store.receive(unordered: []) { $0.count = 4 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 4,
          """
          `receive(unordered:)` names no action, so nothing was received.

          No action waits to be received: leave the step out.
          """),
        Failure(
          line: #line - 2,
          """
          `receive(unordered:)` names no action, so nothing was received.

          This action waits to be received: .set(4). Write `await store.receive(unordered: [.set(4)])`.
          """),
      ])
    await store.receive(unordered: [.set(4)]) { $0.count = 4 }
    await store.finish()
  }

  @Test func `An empty recording fails`() async throws {
    let store = TestStore(initialState: 0, reducer: adding)
    let found = try await failures { try store.replay(Recording(initialState: Array("0".utf8)), with: codec) }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          The recording has no action, so nothing was replayed.

          Call `store.record(with:)` before the first action is sent.
          """)
      ])
    await store.finish()
  }

  @Test func `A recording that begins with another state fails, and is not replayed`() async throws {
    let recording = Recording(
      initialState: Array("5".utf8),
      steps: [.init(time: .zero, cause: .user(""), action: Array("2".utf8), state: Array("7".utf8))])
    let store = TestStore(initialState: 0, reducer: adding)
    let found = try await failures { try store.replay(recording, with: codec) }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          The recording begins with another state than the store has (- recorded, + now), so nothing was replayed:

            - 5
            + 0

          Make the store with the recorded state, and replay first. To get this state, pass `initialState` of the \
          recording to `decodeState` of its codec.
          """)
      ])
    #expect(store.state == 0)
    // The same again: the second time the store has another state.
    let again = TestStore(initialState: 5, reducer: adding)
    try again.replay(recording, with: codec)
    let second = try await failures { try again.replay(recording, with: codec) }
    #expect(second.map { $0.text.prefix(47) } == ["The recording begins with another state than th"])
  }

  @Test func `Settling fails if no run was started`() async {
    let store = counterStore()
    let found = await failures { await store.settle() }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          There is nothing to settle: no run has been started.

          Send the action whose effect works outside of the test's control before this step, or leave the step out.
          """)
      ])
  }

  @Test func `Settling an id that no run has had fails, and names the existing ids`() async {
    let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    let before = await failures { await store.settle(until: "work") }
    #expect(
      before.map(\.text) == [
        """
        There is nothing to settle: no run of "work" has been started.

        No run with an id has been started. Send the action that starts it before this step, or write `await store.settle()`.
        """
      ])
    let other = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    other.send(.start)
    let found = await failures { await other.settle(until: EffectID("wrok")) }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          There is nothing to settle: no run of "wrok" has been started.

          Runs were started under "work". Write the id that the reducer gives, with the scopes around it: \
          `await store.settle(until: "work")`.
          """)
      ])
    other.advance(by: .seconds(1))
    await other.settle(until: "work")
    await other.finish()
  }

  @Test func `The id that is proposed is written with its scopes`() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, _ in .run(id: "load", overlap: .concurrent) { _ in }.scoped("rows") { $0 } })
    store.send(1)
    let found = await failures { await store.settle(until: "load") }
    #expect(
      found.first?.text.contains(#"`await store.settle(until: EffectID("load").scoped(by: EffectID("rows")))`"#) == true
    )
    await store.settle(until: EffectID("load").scoped(by: EffectID("rows")))
    await store.finish()
  }

  @Test func `What was sent to a store that no longer exists fails`() async {
    func sent() -> SentAction<Reduce<Int, Int>> { TestStore(initialState: 0, reducer: adding).send(1) { $0 = 1 } }
    let action = sent()
    let found = await failures {
      action.cancel()
      await action.finish()
    }
    let advice = "Keep it in a variable of the test, and write `await store.finish()` as the last line."
    #expect(
      found == [
        Failure(
          line: #line - 4,
          "`cancel()` did nothing: the test store that the action was sent to no longer exists.\n\n\(advice)"),
        Failure(
          line: #line - 3,
          "`finish()` did nothing: the test store that the action was sent to no longer exists.\n\n\(advice)"),
      ])
  }

  // MARK: - Steps that mean something, although nothing happens

  @Test func `An advance by zero executes what is due now`() async {
    let store = counterStore(work { send in send(.increment) })
    store.send(.start)
    store.exhaustivity = .off
    store.advance(by: .zero)
    #expect(store.state.count == 1)
    store.advance(to: store.clock.now)
    #expect(store.clock.now.offset == .zero)
    await store.finish()
  }

  @Test func `Running until idle ends at once without a sleeper`() async {
    let store = counterStore()
    store.send(.increment) { $0.count = 1 }
    store.runUntilIdle()
    store.runUntilIdle(limit: 0)
    store.runUntilIdle(limit: -1)
    #expect(store.clock.now.offset == .zero)
    await store.finish()
  }

  @Test(arguments: [0, -1]) func `A limit of no instant fails while there is a sleeper`(limit: Int) async {
    let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    store.send(.start)
    let found = await failures { store.runUntilIdle(limit: limit) }
    let beginning = "`runUntilIdle` has moved the test's clock 0 times, and "
    #expect(found.map { $0.text.hasPrefix(beginning) } == [true])
  }

  @Test func `An action that caused nothing has settled (L2)`() async {
    let store = counterStore()
    let sent = store.send(.increment) { $0.count = 1 }
    await sent.finish()
    sent.cancel()
    sent.cancel()
    await store.finish()
  }

  @Test func `An exploration without a property fails if a run throws`() async {
    struct Broken: Error {}
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: 0, reducer: Reduce<Int, Int> { _, _ in .run { _ in throw Broken() } })
      run.send(1)
    }
    #expect(account.text?.hasPrefix("A run threw an error and has no `catch`: ") == true)
  }

  @Test func `A clock without sleepers reports that it has none`() {
    let clock = TestClock()
    #expect(!clock.advanceToNext())
    #expect(clock.runUntilIdle(limit: 0))
    clock.advance(by: .seconds(-1))
    clock.advance(by: .zero)
    #expect(clock.now.offset == .zero)
  }
}
