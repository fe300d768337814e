// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The form of a new recipe. It dismisses itself, and its parent takes what was saved.
struct RecipeForm: Reducer {
  struct State: Equatable, Sendable {
    var name = ""
    var minutes = 10

    var isComplete: Bool { !name.isEmpty }
  }

  enum Action: FieldAction, DismissingAction, Equatable {
    case field(FieldChange<State>)
    case lessTapped, moreTapped
    case saveTapped, cancelTapped

    var isDismissal: Bool { self == .saveTapped || self == .cancelTapped }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .field(let change): change.apply(to: &state)
    case .lessTapped: state.minutes = max(1, state.minutes - 1)
    case .moreTapped: state.minutes += 1
    case .saveTapped, .cancelTapped: break
    }
    return .none
  }
}
