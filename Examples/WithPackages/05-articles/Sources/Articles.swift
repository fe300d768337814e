// This source file is part of swift-effects. License: Apache-2.0.

struct Article: Equatable, Sendable, Codable, CustomStringConvertible {
  let title: String
  let category: Category

  var description: String { "\(title) (\(category))" }
}

enum Category: String, Sendable, Codable {
  case all, language, server
}

/// A request to the server: everything that its answer depends on.
struct Request: Hashable, Sendable, CustomStringConvertible {
  var category = Category.all
  var keyword = ""
  /// After how many articles the page begins.
  var offset = 0

  /// As traces and failing tests print it.
  var description: String {
    "\(category)" + (keyword.isEmpty ? "" : " \(keyword)") + (offset == 0 ? "" : " from \(offset)")
  }
}

/// Some articles, and whether there are more after them.
struct Page: Equatable, Sendable, Codable {
  var articles: [Article]
  var hasMore: Bool
}

/// Why there is no page.
enum Problem: Error, Equatable, Sendable {
  case status(Int)
  case noConnection
}
