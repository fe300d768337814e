// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import GatewayCore
import Synchronization
import Testing

/// Attempts, and tokens that are of little use, with both gateways.
@Suite(.timeLimit(.minutes(2))) struct `Attempts of both gateways` {
  private func configuration(limit: Int = 4, waiting: Int = 4) -> Configuration {
    var configuration = Configuration()
    (configuration.limit, configuration.waiting) = (limit, waiting)
    return configuration
  }

  // MARK: - Waits

  @Test(arguments: Kind.allCases) func `A call that waits for its next attempt has no place`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(limit: 1), calls.signedIn, clock: clock)
    let first = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    calls.item.answer(throwing: UpstreamFailure.busy(retryAfter: .seconds(1)))
    await clock.sleeps(until: .seconds(1))

    #expect(await gateway.counts().queued == 1)
    let second = await gateway.open(["b"])[0]
    await calls.item.pending(atLeast: 1)
    calls.item.answer("B")
    #expect(await second.value == .item("B"))
    clock.advance(by: .seconds(1))
    await calls.item.pending(atLeast: 1)
    calls.item.answer("A")
    #expect(await first.value == .item("A"))
  }

  @Test(arguments: Kind.allCases) func `A wait is compared with the rest of the deadline`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.signedIn, clock: clock)
    let request = await gateway.open(["a"])[0]
    await calls.item.pending(atLeast: 1)
    calls.item.answer(throwing: UpstreamFailure.busy(retryAfter: .seconds(1)))
    await clock.sleeps(until: .seconds(1))
    clock.advance(by: .seconds(1))
    await calls.item.pending(atLeast: 1)

    calls.item.answer(throwing: UpstreamFailure.busy(retryAfter: .seconds(1)))
    #expect(await request.value == .busy(retryAfter: .seconds(1)))
  }

  @Test(arguments: Kind.allCases) func `All requests obey the pause before the next sign-in`(_ kind: Kind) async {
    let (calls, clock) = (Calls(), TestClock())
    let gateway = kind.make(configuration(), calls.client, clock: clock)
    let first = await gateway.open(["a"])[0]
    await calls.signIn.pending(atLeast: 1)
    await clock.sleeps(until: .seconds(2))
    calls.signIn.answer(throwing: UpstreamFailure.busy(retryAfter: .milliseconds(1_500)))
    await clock.sleeps(until: .milliseconds(1_500))
    clock.advance(by: .milliseconds(500))
    let second = await gateway.open(["b"])[0]
    await clock.sleeps(until: .milliseconds(1_500), count: kind == .plain ? 2 : 1)
    #expect(calls.signIn.pending.isEmpty)

    clock.advance(by: .seconds(1))
    await calls.signIn.pending(atLeast: 1)
    calls.signIn.answer(throwing: UpstreamFailure.busy(retryAfter: .milliseconds(600)))
    // The first has half a second left, the second has one.
    #expect(await first.value == .busy(retryAfter: .milliseconds(600)))
    // The store has one sleeper, here until the deadline of the first.
    clock.advance(by: .milliseconds(500))
    await clock.sleeps(until: .milliseconds(2_100))
    clock.advance(by: .milliseconds(100))
    await calls.signIn.pending(atLeast: 1)
    calls.signIn.answer(AccessToken("1"))
    await calls.item.pending(atLeast: 1)
    calls.item.answer("B")
    #expect(await second.value == .item("B"))
  }

  // MARK: - Tokens

  /// Gives out tokens that serve a number of requests each. A call that is accepted waits for its answer.
  private final class Issuer: Sendable {
    private let uses: Mutex<[String: Int]> = Mutex([:])
    private let most: Int
    let item = Mock<String, String>()

    init(uses: Int) { most = uses }

    var tokens: Int { uses.withLock { $0.count } }

    var client: UpstreamClient {
      UpstreamClient(
        signIn: { [self] in
          uses.withLock { uses in
            uses["\(uses.count)"] = most
            return AccessToken("\(uses.count - 1)")
          }
        },
        item: { [self] name, token in
          let isAccepted = uses.withLock { uses in
            guard let rest = uses[token.value], rest > 0 else { return false }
            uses[token.value] = rest - 1
            return true
          }
          guard isAccepted else { throw UpstreamFailure.unauthorized }
          return try await item(name)
        })
    }
  }

  @Test(arguments: Kind.allCases, [1, 2, 7]) func `A burst with tokens that serve few requests has its items`(
    _ kind: Kind, uses: Int
  ) async {
    let issuer = Issuer(uses: uses)
    let gateway = kind.make(configuration(limit: 16, waiting: 64), issuer.client, clock: TestClock())

    let requests = await gateway.open((0..<80).map { "\($0)" })
    for rest in (1...80).reversed() {
      // All places are used, although each token serves few of them.
      await issuer.item.pending(atLeast: min(16, rest))
      issuer.item.answer("item")
    }
    for request in requests { #expect(await request.value == .item("item")) }
    #expect(issuer.tokens >= 80 / uses)
  }

  @Test(arguments: Kind.allCases, [1, 8]) func `A service that never accepts its tokens is a failure`(
    _ kind: Kind, count: Int
  ) async {
    let issuer = Issuer(uses: 0)
    var configuration = configuration(limit: 8, waiting: 0)
    configuration.deadline = nil
    let gateway = kind.make(configuration, issuer.client, clock: TestClock())

    for _ in 0..<2 {
      let tasks = (0..<count).map { name in Task { await gateway.get("\(name)") } }
      for task in tasks { #expect(await task.value == Answer(.unauthorized)) }
    }
    #expect(issuer.tokens <= 2 * count * 3)
  }
}

@Suite struct TokenUsesTests {
  private let token = AccessToken("1")
  private var uses = TokenUses()

  private mutating func isRefused(_ call: Int, most: Int = 1, thenAgain: Bool) {
    let again = uses.refused(call, most: most)
    #expect(again == thenAgain)
  }

  @Test mutating func `A token that another call has may be of use`() {
    uses.begin(1, token)
    uses.begin(2, token)
    isRefused(1, thenAgain: true)
    isRefused(2, thenAgain: false)
  }

  @Test mutating func `A token that was accepted once is used up`() {
    for call in 1...3 { uses.begin(call, token) }
    uses.accepted(2)
    isRefused(1, thenAgain: true)
    isRefused(3, thenAgain: true)
  }

  @Test mutating func `Tokens in a row are useless, until one is accepted`() {
    for (name, isAccepted) in [("1", false), ("2", true), ("3", false)] {
      uses.begin(1, AccessToken(name))
      if isAccepted { uses.accepted(1) } else { isRefused(1, most: 2, thenAgain: true) }
    }
    uses.begin(1, AccessToken("4"))
    isRefused(1, most: 2, thenAgain: false)
  }

  @Test mutating func `Nothing is left of calls that have ended`() {
    for call in 1...3 { uses.begin(call, token) }
    uses.accepted(1)
    uses.end(2)
    uses.end(2)
    isRefused(3, thenAgain: true)
    #expect(uses == TokenUses())
  }
}
