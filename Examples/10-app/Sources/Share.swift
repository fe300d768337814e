// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The sheet in which a recipe is shared. It sends `done`, and then its parent closes it.
struct Share: Reducer {
  struct State: Equatable, Sendable {
    let recipe: Int
    var greeting = ""
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case greetingChanged(String), sendTapped, cancelTapped
    case failed(String)
    /// Published under this link, or cancelled without one.
    case done(link: String?)
  }

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .greetingChanged(let greeting):
      state.greeting = greeting
    case .sendTapped:
      state.problem = nil
      // A second tap changes nothing while the first run is active.
      return .run(id: "publish", overlap: .drop) { [kitchen, state] send in
        send(.done(link: try await kitchen.publish(state.recipe, state.greeting)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .cancelTapped:
      return .send(.done(link: nil))
    case .failed(let problem):
      state.problem = problem
    case .done:
      break
    }
    return .none
  }
}
