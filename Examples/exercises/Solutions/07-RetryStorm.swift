// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The news. If the server does not answer, the app asks again until it does.
struct News: Reducer {
  struct State: Equatable, Sendable {
    var headlines: [String] = []
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case appeared
    case loaded([String])
    case failed(String)
  }

  var load: @Sendable () async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .run(id: "load", overlap: .restart) { [load] send in
        send(.loaded(try await load()))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
      .timeout(after: .seconds(10))
      // Waits of one second, two, four and so on, but of no more than 30.
      .retry(attempts: 1_000, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))
    case .loaded(let headlines):
      state.headlines = headlines
      return .none
    case .failed(let problem):
      state.problem = problem
      return .none
    }
  }
}
