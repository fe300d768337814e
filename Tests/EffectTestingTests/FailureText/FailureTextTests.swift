// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// The texts of a step that does not find what it expects, word for word, at the line of the step.
@Suite struct `Failure texts of states and actions` {
  @Test func `A state that differs`() async {
    let store = counterStore()
    let found = await failures {
      store.send(.increment) { $0.count = 2 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The state after sending .increment is not what the test expects (- expected, + actual):

            count:
              - 2
              + 1

          If the reducer is right, the closure is: `{ $0.count = 1 }`.
          """)
      ])
  }

  @Test func `A change that is not expected`() async {
    let store = counterStore()
    let found = await failures {
      store.send(.increment)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The state changed by sending .increment, and the test expects no change (- before, + after):

            count:
              - 0
              + 1

          If that is wrong, fix the reducer. If it is right, write a closure after the step: `{ $0.count = 1 }`.
          """)
      ])
  }

  @Test func `No change where one is expected`() async {
    let store = counterStore()
    let found = await failures {
      store.send(.note("x")) { $0.count = 0 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The state did not change by sending .note("x"), and the closure of the step changes nothing either.

          Leave the closure out, or set in it what should change.
          """)
      ])
  }

  @Test func `A closure that throws`() async {
    struct NoSuchRow: Error {}
    let store = counterStore()
    let found = await failures {
      store.send(.increment) { _ in throw NoSuchRow() }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          The closure that says what to expect after sending .increment threw an error, so the state was not compared:

            NoSuchRow()

          It is given the state before the step. Does it access something that does not exist yet?
          """)
      ])
    await store.finish()
  }

  @Test func `Another action than the expected one`() async {
    let store = counterStore(work { send in send(.set(1)) })
    store.send(.start)
    let found = await failures {
      // The expected state belongs to another action and is not compared: one failure, not two.
      await store.receive(.set(2)) { $0.count = 2 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .set(2), but the next action is another one (- expected, + actual):

            set:
              - 2
              + 1

          It came from run("work") at App/Feature.swift:12. Actions are received in the order they arrive: receive \
          this one first, or fix what the effect sends. To receive it, write `await store.receive(.set(1)) { $0.count = 1 }`.
          """)
      ])
    // The other action stays held, for a step that expects it. It is not reported twice.
    #expect(store.state.count == 0)
    await store.finish()
    #expect(store.state.count == 1)
  }

  @Test func `Another action than the expected one, from a send effect`() async {
    let store = counterStore(.send(.increment))
    store.send(.start)
    let found = await failures {
      await store.receive(.decrement)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .decrement, but the next action is another one (- expected, + actual):

            - .decrement
            + .increment

          It came from a `.send` effect in the turn of .start. Actions are received in the order they arrive: receive \
          this one first, or fix what the effect sends. To receive it, write `await store.receive(.increment) { $0.count = 1 }`.
          """)
      ])
    await store.finish()
  }

  @Test func `Another action, from a send effect behind a run`() async {
    let store = counterStore(.concatenate(work { _ in }, .send(.increment)))
    store.send(.start)
    let found = await failures {
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          An action was received before finish(), and the test does not say so:

            .increment from a `.send` effect behind a run that ended

          Write `await store.receive(.increment) { $0.count = 1 }` for it before this step.
          """)
      ])
  }

  @Test func `Nothing received and nothing in flight`() async {
    let store = counterStore()
    let found = await failures {
      await store.receive(.increment)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .increment, but no action arrived.

          Nothing is in flight, so nothing can send it. Does an effect send it at all, or did an earlier step \
          receive it? A run that was cancelled, replaced or has ended sends nothing more: does a task outlive it?
          """)
      ])
    await store.finish()
  }

  @Test func `Nothing received, and a run waits for its delay`() async {
    let store = counterStore(
      .merge(
        work { send in send(.increment) }.delay(for: .milliseconds(300)),
        work { send in try await send.sleep(for: .seconds(1)) }))
    store.send(.start)
    let found = await failures { await store.receive(.increment) { $0.count = 1 } }
    #expect(
      found.map(\.text) == [
        """
        Expected to receive .increment, but no action arrived.

        Every run waits for its time on the test's clock, which shows 0.0 seconds:

          run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more
          run("work").delay(for: 0.3 seconds) at App/Feature.swift:12, caused by .start: starts in 0.3 seconds

        Let time pass before this step: `store.advance(by: .milliseconds(300))`.
        """
      ])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `Nothing received, and every run sleeps`() async {
    let store = counterStore(work { send in try await send.sleep(for: .milliseconds(300)) })
    store.send(.start)
    store.advance(by: .milliseconds(100))
    let found = await failures {
      await store.receive(.increment) { $0.count = 1 }
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .increment, but no action arrived.

          Every run sleeps on the test's clock, which shows 0.1 seconds:

            run("work") at App/Feature.swift:12, caused by .start: asleep for 0.2 seconds more

          Let time pass before this step: `store.advance(by: .milliseconds(200))`.
          """)
      ])
    store.advance(by: .milliseconds(200))
    await store.finish()
  }

  @Test(arguments: [
    (Duration.milliseconds(2_500), ".milliseconds(2500)"), (.microseconds(1_500), ".microseconds(1500)"),
    (.nanoseconds(7), ".nanoseconds(7)"), (.seconds(9_000_000_000), ".seconds(9000000000)"),
    (
      Duration(secondsComponent: 1, attosecondsComponent: 5),
      "Duration(secondsComponent: 1, attosecondsComponent: 5)"
    ),
    (
      .nanoseconds(Int64.max - 1), "Duration(secondsComponent: 9223372036, attosecondsComponent: 854775806000000000)"
    ),
  ])
  func `The time that must pass is written as in code`(nap: Duration, code: String) async {
    let store = counterStore(work { send in try await send.sleep(for: nap) })
    store.send(.start)
    let found = await failures { await store.receive(.increment) }
    let advice = "Let time pass before this step: `store.advance(by: \(code))`."
    #expect(found.map { $0.text.hasSuffix("\n\n\(advice)") } == [true])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `A long action is cut in a sentence, and not in the list of differences`() async {
    let old = CounterAction.note(String(repeating: "a", count: 300))
    let new = CounterAction.note(String(repeating: "b", count: 300))
    let store = counterStore(work { send in send(new) })
    store.send(.start)
    let found = await failures { await store.receive(old) }
    let lines = found.flatMap { $0.text.split(separator: "\n").map(String.init) }
    #expect(lines.first?.utf8.count ?? 0 < 260)
    #expect(lines.contains { $0.contains(String(repeating: "b", count: 300)) })
    store.exhaustivity = .off
    await store.finish()
  }

  @Test func `A long action is not written out twice`() async {
    let store = counterStore(work { send in send(.note(String(repeating: "long ", count: 20))) })
    store.send(.start)
    let found = await failures { await store.finish() }
    let advice = "Write `await store.receive(CounterAction.note)` for it before this step."
    #expect(found.map { $0.text.hasSuffix("\n\n\(advice)") } == [true])
  }

  @Test func `Nothing received, and a run is outside`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    store.externalWait = .milliseconds(20)
    store.send(.start)
    let found = await failures {
      await store.receive(.increment)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .increment, but no action arrived.

          These runs have not sent it in time:

            run("work") at App/Feature.swift:12, caused by .start: suspended outside of the test's control

          A run that is suspended outside waits for something the test does not control. Give the feature a dependency \
          that answers in the test, or raise `store.externalWait`.
          """)
      ])
    store.externalWait = plenty
    gate.open()
    await store.finish()
  }

  @Test func `A run that was outside when time moved, and an unknown sleeper`() async {
    let gate = Gate()
    let store = counterStore(
      work { send in
        await gate.wait()
        let clock = send.clock
        // Like a detached task: it does not inherit the run.
        async let stranger: Void? = CurrentRun.$identity.withValue(nil) { try? await clock.sleep(for: .seconds(5)) }
        try await send.sleep(for: .seconds(1))
        _ = await stranger
      })
    store.send(.start)
    store.advance(by: .seconds(1))
    gate.open()
    let found = await failures {
      await store.settle()
      await store.receive(.increment)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Expected to receive .increment, but no action arrived.

          Every run sleeps on the test's clock, which shows 1.0 seconds:

            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more; it did not see time move on from 0.0 \
          seconds, because it was suspended outside then: write `await store.settle()` before `advance`
            and a task of no known run, maybe detached, asleep for 5.0 seconds more

          Let time pass before this step: `store.advance(by: .seconds(1))`.
          """)
      ])
    store.advance(by: .seconds(5))
    await store.finish()
  }
}
