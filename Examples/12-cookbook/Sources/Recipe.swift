// This source file is part of swift-effects. License: Apache-2.0.

/// A recipe.
struct Recipe: Hashable, Identifiable, Sendable {
  let id: Int
  var name: String
  var minutes: Int
}

/// What the app needs from outside.
struct RecipeService: Sendable {
  var all: @Sendable () async throws -> [Recipe]
  /// The ids of the recipes that contain the words. A search in the texts of the recipes, which the app does not have.
  var find: @Sendable (_ words: String) async throws -> [Recipe.ID]
}
