// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `Shutdowns of a test store` {
  private func sleeping(_ seconds: Int) -> Effect<CounterAction> {
    work { send in
      try await send.sleep(for: .seconds(seconds))
      send(.set(4))
    }
  }

  @Test func `Cancelling cancels all runs and names them`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let cut = await store.shutdown(.cancelling).finish()
    #expect(cut.map(\.description) == ["run(\"work\")"])
    await store.finish()
  }

  @Test func `Draining lets runs end, and reduces what they send`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let shutdown = store.shutdown(.draining)
    store.advance(by: .seconds(1))
    await store.receive(.set(4)) { $0.count = 4 }
    #expect(await shutdown.finish().isEmpty)
    await store.finish()
  }

  @Test func `Draining cancels the rest at the limit`() async {
    let store = counterStore(sleeping(3))
    store.send(.start)
    store.advance(by: .seconds(1))
    let shutdown = store.shutdown(.draining(within: .seconds(1)))
    store.advance(by: .milliseconds(999))
    #expect(store.status("work").running == 1)
    store.advance(by: .milliseconds(1))
    #expect(store.status("work").isIdle)
    #expect(await shutdown.finish().map(\.description) == ["run(\"work\")"])
    store.advance(by: .seconds(9))
    await store.finish()
  }

  @Test func `What is due at the limit and fell asleep before the shutdown comes first`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let shutdown = store.shutdown(.draining(within: .seconds(1)))
    store.advanceToNext()
    await store.receive(.set(4)) { $0.count = 4 }
    #expect(await shutdown.finish().isEmpty)
    await store.finish()
  }

  @Test func `The earliest of several limits counts, and is reached like any deadline`() async {
    let store = counterStore(sleeping(5))
    store.send(.start)
    store.shutdown(.draining(within: .seconds(3)))
    store.shutdown(.draining(within: .seconds(2)))
    store.shutdown(.draining(within: .seconds(4)))
    store.advanceToNext()
    #expect(store.clock.now.offset == .seconds(2))
    #expect(store.effects.isEmpty)
    #expect(await store.shutdown(.draining).finish().count == 1)
    await store.finish()
  }

  @Test func `At a limit a run that ignores its cancellation is named, and still in flight (L4)`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    store.send(.start)
    for shutdown in [Shutdown.draining(within: .seconds(1)), .cancelling(within: .seconds(1))] {
      let sent = store.shutdown(shutdown)
      store.advance(by: .seconds(1))
      #expect(await sent.finish().map(\.hasReturned) == [false])
    }
    #expect(store.status("work").cancelling == 1)
    gate.open()
    #expect(await store.shutdown(.cancelling).finish().map(\.hasReturned) == [true])
    await store.finish()
  }

  @Test func `A limit of zero cancels at once`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    #expect(await store.shutdown(.draining(within: .zero)).finish().count == 1)
    await store.finish()
  }

  @Test func `Draining cancels the work of the ids, and does not name it`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    #expect(await store.shutdown(.draining(cancelling: ["work"])).finish().isEmpty)
    await store.finish()
  }

  @Test func `A second shutdown makes a draining one cancel`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let draining = store.shutdown(.draining(within: .seconds(9)))
    let cancelling = store.shutdown(.cancelling)
    #expect(await cancelling.finish().count == 1)
    #expect(await draining.finish().count == 1)
    store.advance(by: .seconds(9))
    await store.finish()
  }

  @Test func `A test store and a store note the same stages`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    store.shutdown(.draining)
    store.shutdown(.cancelling)
    let stages: [String] = store.trace.compactMap { if case .shutdown(let stage) = $0.kind { "\(stage)" } else { nil } }
    #expect(stages == ["draining", "cancelling", "ended"])
    await store.finish()
  }

  @Test func `Actions after a shutdown are refused`() async throws {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let shutdown = store.shutdown(.draining)
    let refused = store.send(.increment)
    #expect(refused.isRefused)
    refused.cancel()
    await refused.finish()
    let request = store.request(.increment)
    await #expect(throws: RequestFailure.refused) { try await request.answer { $0.count } }
    #expect(store.state.count == 0)
    store.advance(by: .seconds(1))
    await store.receive(.set(4)) { $0.count = 4 }
    await shutdown.finish()
    #expect(store.send(.increment).isRefused)
    let refusals: [CounterAction] = store.trace.compactMap {
      if case .refused(let action, _) = $0.kind { action } else { nil }
    }
    #expect(refusals == [.increment, .increment, .increment])
    await store.finish()
  }

  @Test func `A change that is expected of a refused action is a failure`() async {
    let store = counterStore()
    store.send(.increment) { $0.count = 1 }
    store.shutdown(.cancelling)
    let found = await failures {
      store.send(.increment) { $0.count = 2 }
      _ = store.request(.increment) { $0.count = 2 }
    }
    let texts = ["send(.increment)", "request(.increment)"].map {
      """
      \($0) was refused, because `shutdown(_:)` came before. Nothing was reduced, so the state cannot change.

      Leave the closure out, and check `isRefused` of what the step returns; or move the step before the shutdown.
      """
    }
    #expect(found == [Failure(line: #line - 10, texts[0]), Failure(line: #line - 9, texts[1])])
    await store.finish()
  }

  @Test func `A request that a shutdown cuts short has no answer`() async throws {
    let shutdowns: [Shutdown] = [.cancelling, .draining(cancelling: ["work"]), .draining(within: .zero)]
    for shutdown in shutdowns {
      let store = counterStore(sleeping(1))
      let request = store.request(.start)
      await store.shutdown(shutdown).finish()
      await #expect(throws: RequestFailure.cutShort) { try await request.answer { $0.count } }
      await store.finish()
    }
  }

  @Test func `A request that a draining shutdown lets end has an answer`() async throws {
    let store = counterStore(sleeping(1))
    let request = store.request(.start)
    let shutdown = store.shutdown(.draining(cancelling: ["other"], within: .seconds(2)))
    store.advance(by: .seconds(1))
    await store.receive(.set(4)) { $0.count = 4 }
    #expect(try await request.answer { $0.count } == 4)
    await shutdown.finish()
    await store.finish()
  }

  @Test func `A shutdown that does not end names the runs`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let shutdown = store.shutdown(.draining)
    let found = await failures { await shutdown.finish() }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          The shutdown has not ended; this run is still in flight:

            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

          Let it end before this step: `store.advance(by: .seconds(1))`, or cancel it by `.draining(cancelling:)`, a limit, or \
          `store.shutdown(.cancelling)`.
          """)
      ])
    store.shutdown(.cancelling)
    await shutdown.finish()
    await store.finish()
  }

  @Test func `A shutdown does not name a run again that a failure has named`() async {
    let store = counterStore(sleeping(1))
    store.send(.start)
    let found = await failures {
      await store.receive(.set(4)) { $0.count = 4 }
      await store.shutdown(.draining).finish()
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.text.hasPrefix("Expected to receive .set(4), but no action arrived.") == true)
  }

  @Test func `A run that ignores its cancellation keeps a shutdown from ending`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    store.send(.start)
    store.externalWait = .zero
    store.shutdown(.draining(within: .seconds(9)))
    let shutdown = store.shutdown(.cancelling)
    let found = await failures { await shutdown.finish() }
    #expect(
      found == [
        Failure(
          line: #line - 1,
          """
          The shutdown has not ended; this run is still in flight:

            run("work") at App/Feature.swift:12, caused by .start: suspended outside of the test's control

          It was cancelled, but the closure has not returned. Call `try Task.checkCancellation()` in loops, and let the \
          error of a cancelled wait through.
          """)
      ])
    gate.open()
    store.externalWait = plenty
    #expect(await shutdown.finish().count == 1)
    await store.finish()
  }
}
