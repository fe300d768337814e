// This source file is part of swift-effects. License: Apache-2.0.

/// What the features need from outside.
struct Services: Sendable {
  var order: @Sendable (_ item: String) async throws -> Void
  var check: @Sendable (_ answer: String) async throws -> Bool
  var save: @Sendable (_ points: Int) async throws -> Void
}
