// This source file is part of swift-effects. License: Apache-2.0.

/// What the server opens for a user with the right password.
struct Session: Equatable, Sendable {
  let number: Int
  let name: String
}

/// Why there is no session.
enum Problem: Error, Equatable, Sendable {
  case wrongPassword
  case networkDown
  /// The name or the password was changed meanwhile.
  case givenUp
}

/// A text that is never printed: traces, recordings and failing tests print actions.
struct Password: Equatable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  var description: String { "Password(\(text.isEmpty ? "" : "..."))" }
}
