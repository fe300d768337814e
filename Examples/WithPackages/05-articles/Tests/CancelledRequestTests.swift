// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import LocalServer
import Testing

@testable import articles

@Suite(.timeLimit(.minutes(2))) struct `A request that is cancelled` {
  /// `URLSession` blocked here, or ended the process.
  @Test func `Ends, also at the moment when its answer arrives`() async throws {
    try await LocalServer.whileRunning(answering: { ArticleServer.answer($0) }) { server in
      let client = ArticleClient(server: server.url)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<2_000 {
          if number >= 8 { await group.next() }
          group.addTask {
            let page = Task { try await client.page(Request()) }
            try? await Task.sleep(for: .microseconds(number % 50 * 40))
            page.cancel()
            _ = await page.result
          }
        }
      }
      let page = try await client.page(Request())
      #expect(!page.articles.isEmpty)
    }
  }
}
