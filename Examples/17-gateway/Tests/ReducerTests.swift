// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import GatewayCore
import Testing

@testable import EffectGateway

/// The reducer alone: one test states every step, and the explorer tries every order.
@Suite struct `The reducer` {
  private typealias Call = Requests.Call

  private func call(_ number: Int) -> Call { Call(number: number, item: "item") }

  private func reducer(_ upstream: UpstreamClient, limit: Int = 2) -> Requests {
    var configuration = Configuration()
    (configuration.limit, configuration.waiting) = (limit, 2)
    return Requests(upstream: upstream, configuration: configuration)
  }

  /// Accepts the token “new” only.
  private static let strict = UpstreamClient(
    signIn: { AccessToken("new") },
    item: { name, token in
      guard token.value == "new" else { throw UpstreamFailure.unauthorized }
      return name
    })

  @Test func `Two requests share a sign-in`() async {
    let signIn = Mock<Void, AccessToken>()
    let client = UpstreamClient(signIn: signIn.callAsFunction, item: { name, _ in name })
    let store = TestStore(initialState: Requests.State(), reducer: reducer(client))

    store.send(.arrived(call(1))) { $0.set(1, .waiting) }
    store.send(.arrived(call(2))) { $0.set(2, .waiting) }
    signIn.answer(AccessToken("new"))
    await store.receive(.token(AccessToken("new"))) {
      $0.token = .valid(AccessToken("new"))
      $0.counts.tokens = 1
    }
    for number in 1...2 {
      await store.receive(.signedIn(call(number))) { $0.uses.begin(number, AccessToken("new")) }
    }
    for number in 1...2 {
      await store.receive(.began(number)) { $0.set(number, .calling) }
      await store.receive(.received(number, item: "item")) {
        $0.uses.accepted(number)
        $0.set(number, .answered(.item("item")))
      }
    }
    for number in 1...2 { store.send(.left(number)) { $0.set(number, nil) } }
    await store.finish()
  }

  @Test func `A busy service is asked again when it says`() async throws {
    let item = Mock<String, String>()
    var state = Requests.State()
    state.token = .valid(AccessToken("1"))
    let client = UpstreamClient(signIn: { AccessToken("1") }, item: { name, _ in try await item(name) })
    let store = TestStore(initialState: state, reducer: reducer(client))

    let request = store.request(.arrived(call(1))) {
      $0.set(1, .waiting)
      $0.uses.begin(1, AccessToken("1"))
    }
    await store.receive(.began(1)) { $0.set(1, .calling) }
    let busy = UpstreamFailure.busy(retryAfter: .seconds(1))
    item.answer(throwing: busy)
    await store.receive(.failed(call(1), busy, at: .zero)) {
      $0.set(1, .waiting)
      $0.uses.end(1)
    }
    store.advance(by: .milliseconds(999))
    #expect(item.pending.isEmpty)
    store.advance(by: .milliseconds(1))
    var again = call(1)
    again.failures = 1
    await store.receive(.again(again)) { $0.uses.begin(1, AccessToken("1")) }
    await store.receive(.began(1)) { $0.set(1, .calling) }
    item.answer("A")
    await store.receive(.received(1, item: "A")) { $0.set(1, .answered(.item("A"))) }
    #expect(try await request.answer { $0.answer(of: 1) } == .item("A"))
    store.send(.left(1)) { $0.set(1, nil) }
    await store.finish()
  }

  // MARK: - All orders

  /// Requests that find an expired token, in every order of their steps.
  private func expired(
    _ signIns: Overlap, limit: Int = 2
  ) async -> Exploration {
    var state = Requests.State()
    state.token = .valid(AccessToken("old"))
    var reducer = reducer(Self.strict, limit: limit)
    reducer.configuration.deadline = nil
    reducer.signIns = signIns
    return await explore(
      initialState: state, reducer: reducer, requiring: [.nothingRunsAtTheEnd], options: .init(upTo: .timers)
    ) { run in
      run.send(.arrived(call(1)))
      run.send(.arrived(call(2)))
    } always: { state in
      state.counts.tokens <= 1 && state.counts.active <= limit
    } finally: { state in
      (1...2).allSatisfy { state.answer(of: $0) == .item("item") }
    }
  }

  @Test func `An expired token is replaced once, in every order`() async {
    let result = await expired(.join)
    result.expectComplete(.timers)
  }

  @Test func `With one place the limit holds in every order`() async {
    let result = await expired(.join, limit: 1)
    result.expectComplete(.timers)
  }

  @Test func `With another overlap it is replaced twice`() async {
    let failures = await reportedFailures { _ = await expired(.concurrent) }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("tokens: 2") == true)
  }

  @Test func `A deadline may come at any moment`() async {
    let result = await explore(
      initialState: Requests.State(), reducer: reducer(Self.strict), requiring: [.nothingRunsAtTheEnd],
      sometimes: ["it is late": { $0.answer(of: 1) == .late }]
    ) { run in
      run.send(.arrived(call(1)))
    } finally: { state in
      state.answer(of: 1) == .late || state.answer(of: 1) == .item("item")
    }
    result.expectComplete()
  }

  @Test func `A client may leave at any moment`() async {
    var reducer = reducer(Self.strict, limit: 1)
    reducer.configuration.deadline = nil
    let result = await explore(
      initialState: Requests.State(), reducer: reducer, requiring: [.nothingRunsAtTheEnd],
      options: .init(upTo: .deliveries)
    ) { run in
      let first = run.send(.arrived(call(1)))
      run.send(.arrived(call(2)))
      run.cancel(first)
      run.send(.left(1))
    } finally: { state in
      state.calls == [2: .answered(.item("item"))] && state.counts.active == 0 && state.counts.queued == 0
    }
    result.expectComplete(.deliveries)
  }
}

@Suite struct AccessTokenTests {
  @Test(arguments: [("abc-1._~+/=", true), ("", false), ("a b", false), ("a\r\n", false), ("é", false)])
  func `A token that cannot be sent in a header is none`(text: String, isToken: Bool) {
    #expect((AccessToken(received: text) != nil) == isToken)
  }
}
