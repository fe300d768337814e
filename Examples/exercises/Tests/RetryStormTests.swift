// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct RetryStormTests {
  @Test func `At most ten requests in a minute without answer, and news a minute after an outage`() async throws {
    let server = Server()
    let store = TestStore(initialState: News.State(), reducer: News(load: { try await server.load() }))
    store.exhaustivity = .off

    store.send(.appeared)
    store.advance(by: .seconds(60))
    let requests = await server.requests
    try #require(requests <= 10, "So many requests of one app have reached the server while it was down.")

    store.advance(by: .seconds(3_600))  // a long outage
    await server.start()
    store.advance(by: .seconds(60))
    await store.receive(.loaded(["Rain"])) { $0.headlines = ["Rain"] }
    await store.finish()
  }

  private actor Server {
    struct IsDown: Error {}

    private(set) var requests = 0
    private var isDown = true

    func start() { isDown = false }

    func load() throws -> [String] {
      requests += 1
      guard !isDown else { throw IsDown() }
      return ["Rain"]
    }
  }
}
