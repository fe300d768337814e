// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The same without an id, so that no search replaces another one: all run, and every answer that arrives is shown.
struct NaiveSearch: Reducer {
  typealias State = Search.State
  typealias Action = Search.Action

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(""):
      state.query = ""
      state.shown = nil
      return .none
    case .typed(let query):
      state.query = query
      return .run(input: query) { [find] query, send in
        send(.found(Answer(query: query, birds: try await find(query))))
      }
    case .found(let answer):
      state.show(answer)
      return .none
    }
  }
}
