// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import GatewayCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Both gateways` {
  private func configuration(limit: Int = 4, waiting: Int = 4) -> Configuration {
    var configuration = Configuration()
    (configuration.limit, configuration.waiting) = (limit, waiting)
    return configuration
  }

  // MARK: - Token

  @Test(arguments: Kind.allCases) func `1,000 requests without a token share one sign-in`(_ kind: Kind) async {
    let calls = Calls()
    let client = UpstreamClient(signIn: calls.client.signIn, item: { name, token in "\(name) \(token.value)" })
    let gateway = kind.make(configuration(limit: 16, waiting: 1_000), client, clock: TestClock())

    let requests = await gateway.open((0..<1_000).map { "\($0)" })
    #expect(calls.signIn.pending.count == 1)
    calls.signIn.answer(AccessToken("new"))

    for (number, request) in requests.enumerated() { #expect(await request.value == .item("\(number) new")) }
    #expect(await gateway.counts().tokens == 1)
    #expect(calls.signIn.pending.isEmpty)
  }

  @Test(arguments: Kind.allCases) func `1,000 requests with an expired token share one sign-in`(_ kind: Kind) async {
    let tokens = Atomic(0)
    let old = Mock<String, String>()
    let client = UpstreamClient(
      signIn: { AccessToken("\(tokens.wrappingAdd(1, ordering: .relaxed).newValue)") },
      item: { name, token in token.value == "1" ? try await old(name) : name })
    let gateway = kind.make(configuration(limit: 1_000, waiting: 0), client, clock: TestClock())

    let requests = await gateway.open((0..<1_000).map { "\($0)" })
    await old.pending(atLeast: 1_000)
    // While the last of them are refused, the first already have the new token.
    for _ in 0..<1_000 { old.answer(throwing: UpstreamFailure.unauthorized) }

    for (number, request) in requests.enumerated() { #expect(await request.value == .item("\(number)")) }
    #expect(tokens.load(ordering: .relaxed) == 2)
    #expect(await gateway.counts().tokens == 2)
  }

  @Test(arguments: Kind.allCases) func `A sign-in survives the request that began it`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(), calls.client, clock: TestClock())
    let first = await gateway.open(["a"])[0]
    await calls.signIn.pending(atLeast: 1)
    let second = await gateway.open(["b"])[0]

    first.cancel()
    #expect(await first.value == .gone)
    calls.signIn.answer(AccessToken("1"))
    await calls.item.pending(atLeast: 1)
    #expect(calls.item.pending == ["b"])
    calls.item.answer("B")
    #expect(await second.value == .item("B"))
  }

  // MARK: - Places

  @Test(arguments: Kind.allCases) func `No more calls are active than allowed`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(limit: 4, waiting: 96), calls.signedIn, clock: TestClock())

    let requests = await gateway.open((0..<100).map { "\($0)" })
    for _ in 0..<97 {
      await calls.item.pending(atLeast: 4)
      #expect(calls.item.pending.count == 4)
      calls.item.answer("item")
    }
    for _ in 0..<3 { calls.item.answer("item") }

    for request in requests { #expect(await request.value == .item("item")) }
  }

  @Test(arguments: Kind.allCases) func `A request is refused if too many are open`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(limit: 1, waiting: 1), calls.signedIn, clock: TestClock())

    let requests = await gateway.open(["a", "b"])
    #expect(await gateway.get("c") == .refused(retryAfter: .seconds(1)))
    #expect(await gateway.counts().refused == 1)

    for _ in requests {
      await calls.item.pending(atLeast: 1)
      calls.item.answer("item")
    }
    for request in requests { #expect(await request.value == .item("item")) }
    #expect(await gateway.counts().answered == 3)
  }

  // MARK: - Time

  @Test(arguments: Kind.allCases) func `The deadline ends an upstream call`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.signedIn, clock: clock)
    let request = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    await clock.sleeps(until: .seconds(2))

    clock.advance(by: .seconds(2))
    #expect(await request.value == .late)
    #expect(calls.item.pending.isEmpty)
  }

  @Test(arguments: Kind.allCases) func `The deadline ends the wait for a token`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.client, clock: clock)
    let request = await gateway.open(["a"])[0]
    await calls.signIn.pending(atLeast: 1)
    await clock.sleeps(until: .seconds(2))

    clock.advance(by: .seconds(2))
    #expect(await request.value == .late)
  }

  @Test(arguments: Kind.allCases) func `The deadline ends the wait for a place`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(limit: 1), calls.signedIn, clock: clock)
    let requests = await gateway.open(["a", "b"])
    await calls.item.pending(atLeast: 1)
    await clock.sleeps(until: .seconds(2), count: kind == .plain ? 2 : 1)

    clock.advance(by: .seconds(2))
    for request in requests { #expect(await request.value == .late) }
    #expect(calls.item.pending.isEmpty)
  }

  @Test(arguments: Kind.allCases) func `Retry-After is obeyed`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.signedIn, clock: clock)
    let request = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    calls.item.answer(throwing: UpstreamFailure.busy(retryAfter: .seconds(1)))
    await clock.sleeps(until: .seconds(1))

    clock.advance(by: .milliseconds(999))
    #expect(calls.item.pending.isEmpty)
    clock.advance(by: .milliseconds(1))
    await calls.item.pending(atLeast: 1)
    calls.item.answer("A")
    #expect(await request.value == .item("A"))
  }

  @Test(arguments: Kind.allCases) func `A wait past the deadline is left to the client`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(), calls.signedIn, clock: TestClock())
    let request = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    calls.item.answer(throwing: UpstreamFailure.busy(retryAfter: .seconds(60)))
    #expect(await request.value == .busy(retryAfter: .seconds(60)))
  }

  @Test(arguments: Kind.allCases) func `The service is asked three times at most`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.signedIn, clock: clock)
    let request = await gateway.open(["a"])[0]
    for time in [50, 150] {
      await calls.item.pending(atLeast: 1)
      calls.item.answer(throwing: UpstreamFailure.unavailable)
      await clock.sleeps(until: .milliseconds(time))
      clock.advance(to: TestClock.Instant(offset: .milliseconds(time)))
    }
    await calls.item.pending(atLeast: 1)
    calls.item.answer(throwing: UpstreamFailure.unavailable)
    #expect(await request.value == .busy(retryAfter: nil))
  }

  // MARK: - Ends

  @Test(arguments: Kind.allCases) func `A client that leaves cancels its upstream call`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(limit: 1), calls.signedIn, clock: TestClock())
    let first = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    let second = await gateway.open(["b"])[0]
    let third = await gateway.open(["c"])[0]

    // One that waits, and one that has a place.
    second.cancel()
    #expect(await second.value == .gone)
    first.cancel()
    #expect(await first.value == .gone)
    await gateway.until { $0.active == 1 && $0.queued == 0 }
    #expect(calls.item.pending == ["c"])
    calls.item.answer("C")
    #expect(await third.value == .item("C"))
  }

  @Test(arguments: Kind.allCases) func `A shutdown answers what was accepted`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(limit: 2), calls.signedIn, clock: TestClock())
    let requests = await gateway.open(["a", "b", "c", "d"])
    let drain = Task { await gateway.drain(.seconds(1)) }
    await gateway.until { $0.isLeaving }
    #expect(await gateway.get("e") == .leaving)

    for _ in requests {
      await calls.item.pending(atLeast: 1)
      calls.item.answer("item")
    }
    for request in requests { #expect(await request.value == .item("item")) }
    await drain.value
  }

  @Test(arguments: Kind.allCases) func `A shutdown has a limit`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.signedIn, clock: clock)
    let request = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    let drain = Task { await gateway.drain(.seconds(1)) }
    await clock.sleeps(until: .seconds(1))

    clock.advance(by: .seconds(1))
    #expect(await request.value == .leaving)
    await drain.value
    #expect(calls.item.pending.isEmpty)
  }

  @Test(arguments: Kind.allCases) func `A failed sign-in is tried again by the next request`(_ kind: Kind) async {
    let calls = Calls()
    let gateway = kind.make(configuration(), calls.client, clock: TestClock())
    let first = await gateway.open(["a"])[0]
    await calls.signIn.pending(atLeast: 1)
    calls.signIn.answer(throwing: UpstreamFailure.strange(status: 500))
    #expect(await first.value == .failed("The upstream service has answered with the status 500."))

    let second = await gateway.open(["b"])[0]
    await calls.signIn.pending(atLeast: 1)
    calls.signIn.answer(AccessToken("1"))
    await calls.item.pending(atLeast: 1)
    calls.item.answer("B")
    #expect(await second.value == .item("B"))
  }
}
