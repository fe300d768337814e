// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What a list shows after its ratings were requested, its second row was deleted, and all answers have arrived.
@MainActor
func listAfterDeletion<List: Reducer>(_ list: sending List) async -> [String]
where List.State == Library.State, List.Action == Library.Action {
  let store = Store(
    initialState: Library.State(rows: Library.State.two, order: [1, 2]), reducer: list, isolation: MainActor.shared)
  // No answer is reduced between these sends: the store runs on this same actor.
  let ratings = [1, 2].map { store.send(.row($0, .appeared)) }
  store.send(.deleteTapped(2))
  for rating in ratings { await rating.finish() }
  return await store.state.rows.values.sorted { $0.id < $1.id }
    .map { "\($0.title) \($0.rating.map(String.init) ?? "not rated")" }
}

extension Library.State {
  static let two = [1: Row.State(id: 1, title: "Borscht"), 2: Row.State(id: 2, title: "Carrot cake")]
}
