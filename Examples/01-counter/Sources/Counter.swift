// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Counts. Start reading here: this is all the logic there is.
struct Counter: Reducer {
  /// All data of the feature.
  struct State: Equatable, Sendable {
    var count = 0
  }

  /// Everything that can happen to it.
  enum Action: Equatable, Sendable {
    case plusTapped
    case plusLaterTapped
  }

  /// What an action changes at once, and the work that follows from it.
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .plusTapped:
      state.count += 1
      return .none
    case .plusLaterTapped:
      // Only described here: the store runs it, and reduces what it sends like any other action.
      return .run { send in
        try await send.sleep(for: .seconds(1))
        send(.plusTapped)
      }
    }
  }
}
