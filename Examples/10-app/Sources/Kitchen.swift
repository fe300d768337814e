// This source file is part of swift-effects. License: Apache-2.0.

/// What the app needs from outside. A dependency is a stored property, so that tests can replace it.
struct Kitchen: Sendable {
  var recipes: @Sendable () async throws -> [Recipe]
  var rating: @Sendable (_ recipe: Int) async throws -> Int
  var steps: @Sendable (_ recipe: Int) async throws -> [String]
  /// Returns a link.
  var publish: @Sendable (_ recipe: Int, _ greeting: String) async throws -> String
  var saveUnits: @Sendable (_ isMetric: Bool) async throws -> Void
}

struct Recipe: Equatable, Sendable {
  let id: Int
  let title: String
}

extension Kitchen {
  /// Answers from memory after a while, as a server would.
  static func slow(_ latency: Duration) -> Kitchen {
    let server = Server()
    return Kitchen(
      recipes: {
        try await Task.sleep(for: latency)
        return [Recipe(id: 1, title: "Borscht"), Recipe(id: 2, title: "Carrot cake"), Recipe(id: 3, title: "Dal")]
      },
      rating: { recipe in
        try await Task.sleep(for: latency)
        return recipe + 2
      },
      steps: { _ in
        try await Task.sleep(for: latency)
        return ["Cut \(await server.isMetric ? "500 g" : "18 oz") of vegetables.", "Cook.", "Eat."]
      },
      publish: { recipe, _ in
        try await Task.sleep(for: latency)
        return "recipes.example/\(recipe)"
      },
      saveUnits: { isMetric in
        try await Task.sleep(for: latency)
        await server.save(isMetric)
      })
  }

  private actor Server {
    private(set) var isMetric = true
    func save(_ isMetric: Bool) { self.isMetric = isMetric }
  }
}
