// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The second tab.
struct Settings: Reducer {
  struct State: Equatable, Sendable {
    var isMetric = true
    /// The value that was last saved on the server.
    var savedIsMetric = true
    var problem: String?
  }

  enum Action: Equatable, Sendable { case unitsTapped, saved(isMetric: Bool), failed(String) }

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .unitsTapped:
      state.isMetric.toggle()
      // After several quick taps, only the last choice is saved.
      return .run(id: "save", overlap: .restart) { [kitchen, isMetric = state.isMetric] send in
        try await send.sleep(for: .milliseconds(300))
        try await kitchen.saveUnits(isMetric)
        send(.saved(isMetric: isMetric))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .saved(let isMetric):
      (state.savedIsMetric, state.problem) = (isMetric, nil)
    case .failed(let problem):
      state.problem = problem
    }
    return .none
  }
}
