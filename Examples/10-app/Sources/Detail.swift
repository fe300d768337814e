// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// One recipe, opened. It has an id, so that another recipe in its place is another detail, whose work begins anew.
struct Detail: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
    var steps: [String] = []
    var problem: String?
    var link: String?
    /// There while it is shown.
    var share: Share.State?
  }

  enum Action: Equatable, Sendable {
    case appeared, stepsLoaded([String]), failed(String)
    case shareTapped, share(Share.Action)
  }

  static let share = CasePath(
    embed: Action.share, extract: { if case .share(let action) = $0 { action } else { nil } })

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { [kitchen] state, action in
      switch action {
      case .appeared:
        // Behind a load that runs already: that one may have asked before the units were changed.
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
        // Whatever the sheet is doing is cancelled with it.
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
