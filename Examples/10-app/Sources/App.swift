// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The whole app: two tabs. Start reading here; each feature has its own file.
///
///     App ── Library (list) ─┬─ Row, one for each recipe
///      │                     └─ Detail, if one is open ── Share, if it is shown
///      └── Settings
struct App: Reducer {
  enum Tab: Equatable, Sendable { case library, settings }

  struct State: Equatable, Sendable {
    var tab = Tab.library
    var library = Library.State()
    var settings = Settings.State()
  }

  enum Action: Equatable, Sendable {
    case tabTapped(Tab)
    case library(Library.Action)
    case settings(Settings.Action)
  }

  static let library = CasePath(Action.library)
  static let settings = CasePath(Action.settings)

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Scope(\State.library, action: Self.library) { Library(kitchen: kitchen) }
      Scope(\State.settings, action: Self.settings) { Settings(kitchen: kitchen) }
      Reduce<State, Action> { state, action in
        if case .tabTapped(let tab) = action { state.tab = tab }
        return .none
      }
    }
    // A change in one feature affects another one: only the parent has access to both.
    .onChange(of: \.settings.savedIsMetric) { state, _ in
      state.library.detail == nil ? .none : .send(.library(.detail(.appeared)))
    }
  }
}
