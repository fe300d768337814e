// This source file is part of swift-effects. License: Apache-2.0.

/// A message as its author writes it. The author's app makes the id, so that it is the same however often it is sent.
struct Draft: Hashable, Sendable, Codable, Identifiable, CustomStringConvertible {
  let id: String
  let author: String
  let text: String

  /// As traces and failing tests print it.
  var description: String { "\(id): \(text)" }
}

/// A draft that the server has, and its number: the first is 1, and there is no gap.
struct Message: Hashable, Sendable, Codable, CustomStringConvertible {
  let number: Int
  let draft: Draft

  var description: String { "\(number) \(draft)" }
}
