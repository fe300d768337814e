// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// A search that shows the answer to each of its queries, in the order of the answers.
struct Finder: Reducer {
  struct State: Equatable {
    var query = ""
    var results: [String] = []
    var error: String?

    /// Whether the results are those of the query.
    var isFresh: Bool { results.isEmpty || results == [query] }
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case found([String])
    case failed(String)
    case stop
  }

  var overlap = Overlap.concurrent
  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      (state.query, state.results) = (query, [])
      return .run(id: "find", overlap: overlap, input: query, fileID: "App/Finder.swift", line: 31) {
        [find] query, send in
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .found(let results):
      state.results = results
      return .none
    case .failed(let error):
      state.error = error
      return .none
    case .stop:
      return .cancel(id: "find")
    }
  }
}

/// An error of a mocked server.
struct Offline: Error {}
