// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import LocalServer
import Testing

@testable import articles

/// The feature, a real client and a real server.
@Suite struct `Articles from a server` {
  @Test func `Late answers really arrive, and none of them is shown (E1, E4)`() async throws {
    try await LocalServer.whileRunning(answering: { ArticleServer.answer($0) }) { server in
      let client = ArticleClient(server: server.url) { request in
        switch request.keyword {
        case "A": ["delay": 300]
        case "Ac": ["delay": 300, "fail": 1]
        case "Act": ["delay": 10_000]
        default: [:]
        }
      }
      let store = Store(
        initialState: .init(),
        reducer: ArticlesFeature { request in
          // This one reacts to its cancellation, and its request ends with an error. The others go on.
          if request.keyword == "Act" { return try await client.page(request) }
          return try await Task { try await client.page(request) }.value
        })
      let log = store.trace.log()
      for (number, keyword) in ["A", "Ac", "Act"].enumerated() {
        store.send(.keywordChanged(keyword))
        await server.hasBeenAsked(times: number + 1)
      }
      await store.send(.keywordChanged("Actor")).finish()
      // Waits for all closures, also for those that were replaced.
      await store.shutdown(.draining)

      let state = await store.state
      #expect(state.articles.map(\.title) == ["Actors", "Actors wait", "Actors serve"])
      #expect(state.failure == nil)
      let late = log.events.compactMap { event in
        if case .dropped(.loaded(let page), _) = event.kind { page.articles.first?.title } else { nil }
      }
      #expect(late == ["Actors"])
    }
  }
}
