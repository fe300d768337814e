// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Features within a feature, in a module that is on the main actor by default. They need no annotation either.
struct Library: Reducer {
  struct State: Equatable {
    var front = Catalog.State()
    var popup: Catalog.State?
    var branches: [Int: Catalog.State] = [:]
  }
  enum Action: Equatable, Sendable {
    case front(Catalog.Action), popup(Catalog.Action), branch(Int, Catalog.Action), closed(Int?)
  }

  static let front = CasePath(embed: Action.front, extract: { if case .front(let action) = $0 { action } else { nil } })
  static let popup = CasePath(embed: Action.popup, extract: { if case .popup(let action) = $0 { action } else { nil } })
  static let branch = CasePath(
    embed: Action.branch, extract: { if case .branch(let id, let action) = $0 { (id, action) } else { nil } })

  var catalog: Catalog

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    CombineReducers {
      Scope(\State.front, action: Self.front) { catalog }
      Reduce<State, Action> { state, action in
        if case .closed(let id) = action {
          if let id { state.branches[id] = nil } else { state.popup = nil }
        }
        return .none
      }
    }
    .ifLet(\.popup, action: Self.popup) { catalog }
    .forEach(\.branches, action: Self.branch) { catalog }
    .onChange(of: \.front.query) { state, _ in
      state.popup = nil; return .none
    }
    .reduce(into: &state, action: action)
  }
}
