// This source file is part of swift-effects. License: Apache-2.0.

package import EffectRuntime

/// A common feature: find as you type, the newest query wins.
package struct Search: Reducer {
  package struct State: Equatable, Sendable {
    package var query = ""
    package var results: [String] = []
    package var failure: String?

    package init() {}

    package init(query: String, results: [String]) {
      self.query = query
      self.results = results
    }
  }

  package enum Action: Equatable, Sendable { case queryChanged(String), found([String]), failed(String) }

  private let pause: Duration
  private let find: @Sendable (String) async throws -> [String]

  package init(pause: Duration = .milliseconds(300), find: @escaping @Sendable (String) async throws -> [String]) {
    self.pause = pause
    self.find = find
  }

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.results = []
      return .run(id: "search", overlap: .restart, input: query) { [pause, find] query, send in
        try await send.sleep(for: pause)
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .found(let results):
      state.results = results
      return .none
    case .failed(let message):
      state.failure = message
      return .none
    }
  }
}
