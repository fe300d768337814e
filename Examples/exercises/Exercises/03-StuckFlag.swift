// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A profile that is loaded, and shows a spinner while `isLoading` is true. The user can cancel.
struct ProfilePage: Reducer {
  struct State: Equatable, Sendable {
    var isLoading = false
    var name: String?
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case appeared
    case cancelTapped
    case loaded(String)
    case failed(String)
  }

  var load: @Sendable () async throws -> String

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      state.isLoading = true
      return .run(id: "load", overlap: .restart) { [load] send in
        send(.loaded(try await load()))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .cancelTapped:
      return .cancel(id: "load")
    case .loaded(let name):
      state.isLoading = false
      state.name = name
      return .none
    case .failed(let problem):
      state.isLoading = false
      state.problem = problem
      return .none
    }
  }
}
