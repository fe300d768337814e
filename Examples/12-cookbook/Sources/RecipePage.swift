// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A page of the stack: one recipe. It knows neither the list nor the other pages.
struct RecipePage: Reducer {
  struct State: Hashable, Sendable {
    var recipe: Recipe
    var cooking: Cooking.State?
    var timesCooked = 0
  }

  enum Action: DismissingAction, Equatable {
    case cookTapped, cookingClosed, cooking(Cooking.Action)
    /// The parent shows a recipe that takes less time.
    case shorterTapped
    case deleteTapped

    var isDismissal: Bool { self == .deleteTapped }
  }

  static let cooking = CasePath(Action.cooking)

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .cookTapped:
        state.cooking = Cooking.State(seconds: state.recipe.minutes * 60)
        return .send(.cooking(.started))
      // The timer is work of the child, and ends with it.
      case .cookingClosed: state.cooking = nil
      case .cooking(.finished): state.timesCooked += 1
      case .cooking, .shorterTapped, .deleteTapped: break
      }
      return .none
    }
    .ifLet(\.cooking, action: Self.cooking) { Cooking() }
  }
}
