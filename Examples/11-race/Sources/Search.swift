// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Find as you type. One parameter decides whether it races: `overlap`.
struct Search: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    /// The query whose answer is shown.
    var shown: String?

    /// The shown answer belongs to another query than the one in the text field.
    var isStale: Bool { shown.map { $0 != query } ?? false }
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case answered(String)
  }

  let overlap: Overlap
  let server: Server

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      state.query = query
      return .run(id: "search", overlap: overlap, input: query) { [server] query, send in
        await server.answer(to: query)
        send(.answered(query))
      }
    case .answered(let query):
      state.shown = query
      return .none
    }
  }
}
