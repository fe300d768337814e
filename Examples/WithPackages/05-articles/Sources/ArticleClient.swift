// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Requests pages from a server, as any app does. The feature does not depend on it.
struct ArticleClient: Sendable {
  let server: URL
  /// What must go wrong with a request; see `LocalServer`.
  var trouble: @Sendable (Request) -> [String: Int] = { _ in [:] }

  func page(_ request: Request) async throws -> Page {
    let items = [
      "category": request.category.rawValue, "keyword": request.keyword, "offset": "\(request.offset)",
    ].merging(trouble(request).mapValues { "\($0)" }) { first, _ in first }
    let url = server.appending(path: "articles").appending(
      queryItems: items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) })
    let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: url.absoluteString), timeout: .minutes(1))
    guard response.status == .ok else { throw Problem.status(Int(response.status.code)) }
    let body = try await response.body.collect(upTo: 1_048_576)
    return try JSONDecoder().decode(Page.self, from: Data(body.readableBytesView))
  }
}
