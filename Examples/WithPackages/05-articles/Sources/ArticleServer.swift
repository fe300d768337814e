// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import HTTPTypes
import HummingbirdCore
import LocalServer

/// The server's side: eight articles, three to a page.
enum ArticleServer {
  private static let articles = [
    Article(title: "Actors", category: .language), Article(title: "Servers", category: .server),
    Article(title: "Macros", category: .language), Article(title: "Routes", category: .server),
    Article(title: "Actors wait", category: .language), Article(title: "Streams", category: .server),
    Article(title: "Key paths", category: .language), Article(title: "Actors serve", category: .server),
  ]

  private static let pageSize = 3

  static func answer(_ request: HummingbirdCore.Request) -> Response {
    let category = Category(rawValue: request.query["category"] ?? "") ?? .all
    let keyword = request.query["keyword"] ?? ""
    let found = articles.filter { article in
      (category == .all || article.category == category) && (keyword.isEmpty || article.title.contains(keyword))
    }
    let rest = found.dropFirst(request.query["offset"].flatMap { Int($0) } ?? 0)
    let page = Page(articles: Array(rest.prefix(pageSize)), hasMore: rest.count > pageSize)
    guard let body = try? JSONEncoder().encode(page) else { return Response(.internalServerError) }
    return Response(.ok, [.contentType: "application/json"], body)
  }
}
