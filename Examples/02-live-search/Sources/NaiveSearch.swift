// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The search as it is often written first: it has no id, so a newer one cannot replace it.
struct NaiveSearch: Reducer {
  typealias State = Search.State
  typealias Action = Search.Action

  /// All but the search itself is the same.
  var search: Search

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard case .queryChanged(let query) = action else { return search.reduce(into: &state, action: action) }
    state = State(query: query, phase: .waiting, limit: state.limit)
    return .run(input: query) { [find = search.find, pause = search.pause] query, send in
      try await send.sleep(for: pause)
      send(.started)
      for try await findings in find(query) {
        guard await send.delivered(.found(findings)) else { return }
      }
      send(.finished)
    } catch: { error, send in
      send(.failed("\(error)"))
    }
  }
}
