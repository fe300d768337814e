// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Find as you type. Whether it races is decided by one word: `overlap`.
struct Search: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var shown: Answer?

    /// An answer to another question than the one in the text field.
    var isStale: Bool { shown.map { $0.query != query } ?? false }
  }

  struct Answer: Equatable, Sendable {
    let query: String
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case answered(Answer)
  }

  let overlap: Overlap
  let server: Server

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      state.query = query
      return .run(id: "search", overlap: overlap, input: query) { [server] query, send in
        let answer = await server.answer(to: query)
        let wasReduced = await send.delivered(.answered(answer))
        await server.note(query, wasReduced ? .reduced : .dropped)
      }
    case .answered(let answer):
      state.shown = answer
      return .none
    }
  }
}
