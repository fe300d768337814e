// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

private struct NotSaved: Error, Equatable {}

@Suite struct `Requests in a test store` {
  @Test func `A request without effects is answered at once`() async throws {
    let store = counterStore()
    let request = store.request(.increment) { $0.count = 1 }
    #expect(try await request.answer { $0.count } == 1)
    #expect(try await request.answer { _, outcomes in outcomes.isEmpty } == true)
    await store.finish()
  }

  @Test func `The answer is made from the state when the last effect has settled`() async throws {
    let store = counterStore(
      work { send in
        send(.increment)
        send(.set(4))
      })
    let request = store.request(.start)
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.set(4)) { $0.count = 4 }
    store.send(.increment) { $0.count = 5 }
    #expect(try await request.answer { $0.count } == 4)
    await store.finish()
    // No step, so it may come after the last one.
    #expect(try await request.answer { $0.count } == 4)
  }

  @Test func `Actions of the same turn, and what they start, belong to the request`() async throws {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, String> { state, action in
        switch action {
        case "first": return .send("second")
        case "second":
          state = 1
          return .run { send in send("third") }
        default:
          state = 3
          return .none
        }
      })
    let request = store.request("first")
    await store.receive("second") { $0 = 1 }
    await store.receive("third") { $0 = 3 }
    #expect(try await request.answer { $0 } == 3)
    await store.finish()
  }

  @Test func `A test store and a store give the same answer and outcomes`() async throws {
    let effect: @Sendable () -> Effect<CounterAction> = {
      .merge(
        .run(id: "save", overlap: .drop) { send in send(.set(4)) }, .run(id: "save", overlap: .drop) { _ in },
        .run(name: "fails") { _ in
          throw NotSaved()
        } catch: { _, send in
          send(.note("caught"))
        })
    }
    let live = Store(initialState: Counter(), reducer: counter(effect()))
    let lines: @Sendable (Counter, RequestOutcomes) -> [String] = { state, outcomes in
      ["\(state.count)"] + outcomes.map { "\($0.run): \($0.outcome)" }.sorted()
    }
    let expected = try await live.request(.start, lines)
    let store = TestStore(initialState: Counter(), reducer: counter(effect()))
    let request = store.request(.start)
    await store.receive(unordered: [.set(4), .note("caught")]) { $0.count = 4 }
    #expect(try await request.answer(lines) == expected)
    #expect(expected.count == 4)
    await store.finish()
  }

  @Test func `The answer throws what its closure throws`() async throws {
    let store = counterStore(
      .run(id: "work", overlap: .drop) { _ in
        throw NotSaved()
      } catch: { _, _ in
      })
    let request = store.request(.start)
    await #expect(throws: NotSaved()) {
      try await request.answer { _, outcomes in
        if !outcomes.isEmpty { throw NotSaved() }
      }
    }
    await store.finish()
  }

  @Test func `A cancelled request cancels its effects, and throws a CancellationError`() async throws {
    let store = counterStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        send(.increment)
      })
    let request = store.request(.start)
    request.cancel()
    await #expect(throws: CancellationError.self) { try await request.answer { $0.count } }
    store.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func `A cancel after everything has settled changes nothing`() async throws {
    let store = counterStore()
    let request = store.request(.increment) { $0.count = 1 }
    request.cancel()
    #expect(try await request.answer { $0.count } == 1)
    await store.finish()
  }

  @Test func `Effects that another action cancels have settled`() async throws {
    let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    let request = store.request(.start)
    store.send(.stop)
    #expect(try await request.answer { _, outcomes in outcomes.allFinished } == false)
    await store.finish()
  }

  @Test func `An answer waits for runs that are suspended outside`() async throws {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    let request = store.request(.start)
    let opening = Task.detached { gate.open() }
    #expect(try await request.answer { $0.count } == 0)
    await opening.value
    await store.finish()
  }

  @Test func `A request that has not settled is a failure, and may be asked again`() async throws {
    let store = counterStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        send(.set(4))
      })
    let request = store.request(.start)
    var answer: Int?
    let found = try await failures { answer = try await request.answer { $0.count } }
    #expect(answer == nil)
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          What was sent has not settled; this run is still in flight:

            run("work") at App/Feature.swift:12, caused by .start: asleep for 1.0 seconds more

          Let it end before this step: `store.advance(by: .seconds(1))`, or send what cancels it.
          """)
      ])
    store.advance(by: .seconds(1))
    await store.receive(.set(4)) { $0.count = 4 }
    #expect(try await request.answer { $0.count } == 4)
    await store.finish()
  }

  @Test func `What the runs send must be received before the answer`() async throws {
    let store = counterStore(work { send in send(.set(4)) })
    let request = store.request(.start)
    var answer: Int?
    let found = try await failures { answer = try await request.answer { $0.count } }
    #expect(answer == 4)
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          An action was received before answer(_:), and the test does not say so:

            .set(4) from run("work") at App/Feature.swift:12

          Write `await store.receive(.set(4)) { $0.count = 4 }` for it before this step.
          """)
      ])
    await store.finish()
  }

  @Test func `The state after a request is compared`() async throws {
    let store = counterStore()
    let found = await failures { _ = store.request(.increment) }
    #expect(found.map(\.line) == [#line - 1])
    #expect(found.first?.text.hasPrefix("The state changed by requesting .increment") == true, "\(found)")
    await store.finish()
  }

  @Test func `The state after a request is compared before its runs begin`() async throws {
    let diary = Diary<String>()
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, String> { state, _ in
        state = 1
        return .run { _ in diary.write("run") }
      })
    let request = store.request("start") {
      diary.write("compared")
      $0 = 1
    }
    #expect(try await request.answer { $0 } == 1)
    #expect(diary.all == ["compared", "run"])
    await store.finish()
  }

  @Test func `An answer remains when the store was released, if there is one`() async throws {
    var requests: [SentRequest<Reduce<Counter, CounterAction>>] = []
    do {
      let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
      requests = [store.request(.increment) { $0.count = 1 }, store.request(.start)]
      store.cancelInFlight()
      store.exhaustivity = .off
    }
    #expect(try await requests[0].answer { $0.count } == 1)
    #expect(try await requests[1].answer { $0.count } == 1)
    do {
      let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
      requests = [store.request(.start)]
      store.exhaustivity = .off
    }
    var answer: Int? = 1
    let found = try await failures {
      answer = try await requests[0].answer { $0.count }
      requests[0].cancel()
    }
    #expect(answer == nil)
    #expect(found.map(\.line) == [#line - 4, #line - 3])
    #expect(found.first?.text.hasPrefix("`answer(_:)` did nothing: the test store") == true, "\(found)")
  }
}
