// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// A typical search: it must show the results of the newest query.
struct Queries: Reducer {
  struct State: Equatable {
    var query = -1
    var results = -1
  }

  enum Action: Equatable, Sendable {
    case typed(Int)
    case found(Int)
  }

  var overlap = Overlap.restart
  /// The request: suspends or not.
  var find: @Sendable (Int) async -> Int = { $0 }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      state.query = query
      state.results = -1
      return .run(id: "search", overlap: overlap) { [find] send in
        let found = await find(query)
        if Task.isCancelled { return }
        send(.found(found))
      }
    case .found(let results):
      state.results = results
      return .none
    }
  }

  static func isFresh(_ state: State) -> Bool { state.results == -1 || state.results == state.query }
}

/// A server that answers on its own isolation.
actor Server {
  private(set) var asked = 0

  func find(_ query: Int) -> Int {
    asked += 1
    return query
  }
}
