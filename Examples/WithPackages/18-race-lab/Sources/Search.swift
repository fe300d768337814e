// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Find as you type. Start reading here: whether it races is decided by `overlap`.
struct Search: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var shown: Answer?
    /// How many answers were shown when the text field had another query.
    var outdated = 0

    /// The shown answer belongs to another query than the one in the text field.
    var isStale: Bool { shown.map { $0.query != query } ?? false }

    mutating func show(_ answer: Answer) {
      if answer.query != query { outdated += 1 }
      shown = answer
    }
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case found(Answer)
  }

  var overlap: Overlap
  /// A dependency is a stored property, so that tests can replace it.
  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(""):
      state.query = ""
      state.shown = nil
      return .cancel(id: "search")
    case .typed(let query):
      state.query = query
      return .run(id: "search", overlap: overlap, input: query) { [find] query, send in
        send(.found(Answer(query: query, birds: try await find(query))))
      }
    case .found(let answer):
      state.show(answer)
      return .none
    }
  }
}

/// The birds for a query.
struct Answer: Equatable, Sendable, CustomStringConvertible {
  let query: String
  let birds: [String]

  /// As traces and failing tests print it.
  var description: String { "\(birds.count) for \"\(query)\"" }
}
