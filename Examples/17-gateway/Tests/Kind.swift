// This source file is part of swift-effects. License: Apache-2.0.

import EffectGateway
import EffectTesting
import GatewayCore
import PlainGateway
import Testing

/// The two gateways: each behaviour is tested with both.
enum Kind: CaseIterable {
  case plain, effect

  func make(
    _ configuration: Configuration, _ upstream: UpstreamClient, clock: any Clock<Duration> = ContinuousClock()
  ) -> Gateway {
    switch self {
    case .plain: PlainGateway(configuration, upstream, clock: clock).gateway
    case .effect:
      EffectGateway.make(configuration, upstream, clock: clock) { Issue.record("\($0)") }
    }
  }
}

extension Gateway {
  /// Waits until the counts fulfil a condition. They come after each change, so nothing is polled.
  func until(_ condition: @Sendable (Counts) -> Bool) async {
    for await counts in changes() where condition(counts) { return }
    Issue.record("The gateway has ended, and its counts have not become what the test waits for.")
  }

  /// Requests in tasks, when all of them are open.
  func open(_ names: [String]) async -> [Task<Answer, Never>] {
    let before = await counts()
    let tasks = names.map { name in Task { await get(name) } }
    await until { $0.active + $0.queued == before.active + before.queued + names.count }
    return tasks
  }
}

/// An upstream service whose calls wait until the test answers them.
struct Calls {
  let signIn = Mock<Void, AccessToken>()
  let item = Mock<String, String>()

  var client: UpstreamClient {
    UpstreamClient(signIn: { [signIn] in try await signIn() }, item: { [item] name, _ in try await item(name) })
  }

  /// The token comes at once.
  var signedIn: UpstreamClient {
    UpstreamClient(signIn: { AccessToken("1") }, item: { [item] name, _ in try await item(name) })
  }
}

extension TestClock {
  /// Waits until so many tasks sleep until this time.
  ///
  /// `sleepers(atLeast:)` would not do for both gateways: a store has one sleeper for all its deadlines.
  func sleeps(until time: Duration, count: Int = 1) async {
    while sleepers.count(where: { $0.deadline.offset == time }) < count { await Task.yield() }
  }
}
