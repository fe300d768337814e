// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// One open recipe. It has an id, so a recipe that replaces it is another detail, with new work.
struct Detail: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
    var steps: [String] = []
    var problem: String?
    var link: String?
    /// Not nil while the sheet is shown.
    var share: Share.State?
  }

  enum Action: Equatable, Sendable {
    case appeared, stepsLoaded([String]), failed(String)
    case shareTapped, share(Share.Action)
  }

  static let share = CasePath(Action.share)

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { [kitchen] state, action in
      switch action {
      case .appeared:
        // After a load that is already active: its request may have been sent before the units were changed.
        return .run(id: "steps", overlap: .enqueue) { [id = state.id] send in
          send(.stepsLoaded(try await kitchen.steps(id)))
        } catch: { error, send in
          send(.failed("\(error)"))
        }
      case .stepsLoaded(let steps):
        (state.steps, state.problem) = (steps, nil)
      case .failed(let problem):
        state.problem = problem
      case .shareTapped:
        state.share = Share.State(recipe: state.id)
      case .share(.done(let link)):
        // All work of the sheet is cancelled with it.
        state.share = nil
        state.link = link ?? state.link
      case .share:
        break
      }
      return .none
    }
    .ifLet(\.share, action: Self.share) { Share(kitchen: kitchen) }
  }
}
