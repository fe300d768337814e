// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
    let (data, response) = try await URLSession.shared.data(from: url)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Problem.status(status) }
    return try JSONDecoder().decode(Page.self, from: data)
  }
}
