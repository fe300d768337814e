// This source file is part of swift-effects. License: Apache-2.0.

/// What the server opens for who has the right password.
struct Session: Equatable, Sendable {
  let number: Int
  let name: String
}

/// Why there is no session.
enum Problem: Error, Equatable, Sendable {
  case wrongPassword
  case networkDown
  /// Name or password were changed meanwhile.
  case givenUp
}

/// A text that nobody reads by chance: actions are printed by traces, recordings and failing tests.
struct Password: Equatable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  var description: String { "Password(\(text.isEmpty ? "" : "..."))" }
}
