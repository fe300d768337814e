// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A row of the list. It does not depend on other rows.
struct Row: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
    var rating: Int?
  }

  enum Action: Equatable, Sendable { case appeared, rated(Int), failed(String) }

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      // All rows use the id "rating"; the list separates them. Loading is not stored: it is the status of the work.
      return .run(id: "rating", overlap: .restart) { [kitchen, id = state.id] send in
        send(.rated(try await kitchen.rating(id)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .rated(let stars):
      state.rating = stars
    case .failed:
      state.rating = nil
    }
    return .none
  }
}
