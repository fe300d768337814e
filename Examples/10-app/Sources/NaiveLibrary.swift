// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The list as it is often written, with its rows in plain dictionaries. Two mistakes, each of them of one word:
///
/// - `map` instead of `scoped`: every row's "rating" is the same work, so one row's load cancels the other's;
/// - a deleted row's work goes on, and its answer creates the row again: a ghost in the list.
struct NaiveLibrary: Reducer {
  typealias State = Library.State
  typealias Action = Library.Action

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .row(let id, let action):
      var row = state.rows[id] ?? Row.State(id: id, title: "?")
      defer { state.rows[id] = row }
      return Row(kitchen: kitchen).reduce(into: &row, action: action).map { .row(id, $0) }
    case .deleteTapped(let id):
      state.rows[id] = nil
      state.order.removeAll { $0 == id }
      return .none
    case .appeared, .loaded, .failed, .openTapped, .closeTapped, .detail:
      return Library(kitchen: kitchen).reduce(into: &state, action: action)
    }
  }
}
