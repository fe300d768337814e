// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The texts of a test with `assertsDrops` on that does not state its drops, word for word.
@Suite struct `Failure texts of drops` {
  private typealias Feature = Reduce<Counter, CounterAction>

  /// Runs `work` at `start`; `work` decides what it does when it is cancelled.
  private func store(
    _ body: @escaping @concurrent @Sendable (Send<CounterAction>) async -> Void
  ) -> TestStore<Feature> {
    let effect = Effect<CounterAction>.run(
      id: "work", overlap: .restart, input: "s", fileID: "App/Feature.swift", line: 12
    ) { _, send in await body(send) }
    let store = counterStore(effect)
    store.assertsDrops = true
    return store
  }

  /// Answers, also if it was cancelled.
  private static let stubborn: @concurrent @Sendable (Send<CounterAction>) async -> Void = { send in
    try? await send.sleep(for: .seconds(1))
    send(.set(1))
  }

  @Test func `One drop that the test does not expect`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    store.send(.stop)
    let found = await failures { await store.finish() }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          An action was dropped before finish(), and the test does not say so:

            .set(1) from run("work", input: "s", overlap: restart) at App/Feature.swift:12, because the effect of .stop had \
          cancelled that run

          Write `await store.expectDrop(.set(1))` for it before this step, because `assertsDrops` is on. Or fix the run: \
          one that stops when it is cancelled sends nothing that must be dropped.
          """)
      ])
  }

  @Test func `Several drops, each for another reason (E1)`() async {
    let late = Effect<CounterAction>.run(id: "work", overlap: .restart, fileID: "App/Feature.swift", line: 12) { send in
      await Self.stubborn(send)
    } catch: { _, _ in
    }
    let (gate, sent) = (Gate(), Gate())
    let store = TestStore(
      initialState: Counter(),
      reducer: Feature { _, action in
        switch action {
        case .start: return late
        case .set(let seconds): return seconds == 1 ? .none : late.timeout(after: .milliseconds(seconds))
        case .stop:
          return .run(fileID: "App/Feature.swift", line: 30) { send in
            Task.detached {
              await gate.wait()
              send(.decrement)
              sent.open()
            }
          }
        case .note(let text):
          return .merge(.send(.note(text)), .cancel(id: "tree")).cancellable(id: "tree", overlap: .concurrent)
        default: return .concatenate(.run { try await $0.sleep(for: .milliseconds(1)) }, .cancel(id: "work"))
        }
      }
    ).patient
    store.assertsDrops = true
    let found = await failures {
      store.send(.start).cancel()
      store.send(.start)
      store.cancelInFlight()
      store.send(.start)
      store.send(.start)
      store.send(.set(5))
      store.advance(by: .milliseconds(5))
      store.send(.start)
      store.send(.increment)
      store.advance(by: .milliseconds(1))
      store.send(.note("never"))
      store.send(.stop)
      gate.open()
      await sent.wait()
      await store.finish()
    }
    let run = #"run("work", overlap: restart)"#
    let expected: [String] = [
      "  .set(1) from \(run) at App/Feature.swift:12, because `cancel()` had cancelled that run",
      "  .set(1) from \(run) at App/Feature.swift:12, because `cancelInFlight()` had cancelled that run",
      "  .set(1) from \(run) at App/Feature.swift:12, because the effect of .start had cancelled that run",
      "  .set(1) from \(run) at App/Feature.swift:12, because the effect of .set(5) had cancelled that run",
      "  .set(1) from \(run).timeout(after: 0.005 seconds) at App/Feature.swift:12, because that run, or its attempt, had "
        + "run out of time",
      "  .set(1) from \(run) at App/Feature.swift:12, because an effect behind another run, or behind a wait, had "
        + "cancelled that run",
      // The case of the reducer that drops it; reported before.
      "  of EffectTestingTests/FailureTextOfDropsTests.swift:71",
      "  .note(\"never\") from a `.send` effect in the turn of .note(\"never\"), because the branch that contains it had been "
        + "cancelled",
      // Sent after its closure had returned.
      "  run() at App/Feature.swift:30",
    ]
    #expect(found.map { String($0.text.split(separator: "\n")[1]) } == expected)
  }

  @Test func `A drop of an action that is not Equatable is expected by its case`() async {
    enum Action: Sendable { case start, stop, failed(any Error) }
    struct Offline: Error {}
    func store() -> TestStore<Reduce<Int, Action>> {
      let store = TestStore(
        initialState: 0,
        reducer: Reduce<Int, Action> { _, action in
          switch action {
          case .start:
            .run(id: "work", overlap: .restart) { send in
              try? await send.sleep(for: .seconds(1))
              send(.failed(Offline()))
            }
          case .stop: .cancel(id: "work")
          case .failed: .none
          }
        })
      store.assertsDrops = true
      store.send(.start)
      store.send(.stop)
      return store
    }
    let found = await failures { await store().finish() }
    let code = "await store.expectDrop(where: { if case .failed = $0 { true } else { false } })"
    #expect(found.first?.text.contains("Write `\(code)` for it before this step") == true, "\(found)")
    let green = await failures {
      let store = store()
      await store.expectDrop(where: { if case .failed = $0 { true } else { false } })
      await store.finish()
    }
    #expect(green == [])
  }

  @Test func `Another action was dropped`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    store.send(.stop)
    let found = await failures { await store.expectDrop(.set(2)) }
    #expect(
      found.map(\.text) == [
        """
        Expected that this is dropped: .set(2), but another action was (- expected, + actual):

          set:
            - 2
            + 1

        It came from run("work", input: "s", overlap: restart) at App/Feature.swift:12, and was dropped because the effect \
        of .stop had cancelled that run. Drops are expected in the order they happened: expect this one first, by \
        `await store.expectDrop(.set(1))`, or fix what the run sends.
        """
      ])
    await store.finish()
  }

  @Test func `Nothing was dropped, and nothing is in flight`() async {
    let store = store { _ in }
    let found = await failures { await store.expectDrop(.set(1)) }
    #expect(
      found.map(\.text) == [
        """
        Expected that this is dropped: .set(1), but no action was.

        Nothing is in flight, so nothing can send it. A run that stops when it is cancelled sends nothing more; if this \
        run does that, leave the step out.
        """
      ])
    await store.finish()
  }

  @Test func `Nothing was dropped, and an action is held`() async {
    let store = store { send in send(.set(1)) }
    store.send(.start)
    let found = await failures { await store.expectDrop(.set(1)) }
    #expect(
      found.map(\.text) == [
        """
        Expected that this is dropped: .set(1), but no action was.

        An action was received, and holds everything behind it:

          .set(1) from run("work", input: "s", overlap: restart) at App/Feature.swift:12

        Receive it before this step.
        """
      ])
    await store.receive(.set(1)) { $0.count = 1 }
    await store.finish()
  }

  @Test func `Nothing was dropped, and the run sleeps`() async {
    let store = store(Self.stubborn)
    store.send(.start)
    let found = await failures { await store.expectDrop(.set(1)) }
    #expect(
      found.map(\.text) == [
        """
        Expected that this is dropped: .set(1), but no action was.

        Every run sleeps on the test's clock, which shows 0.0 seconds:

          run("work", input: "s", overlap: restart) at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

        Let time pass before this step: `store.advance(by: .seconds(1))`.
        """
      ])
    await store.finish()
  }

  @Test func `The test forgets to finish, and drops`() async {
    let found = await failures {
      let store = store(Self.stubborn)
      store.send(.start)
      store.send(.stop)
    }
    #expect(
      found.map(\.text) == [
        """
        The test ended without `await store.finish()`, and not everything was over.

        Dropped and not asserted:

          .set(1) from run("work", input: "s", overlap: restart) at App/Feature.swift:12, because the effect of .stop had \
        cancelled that run

        First assert what was dropped. Then write `await store.finish()` as the last step.
        """
      ])
  }
}
