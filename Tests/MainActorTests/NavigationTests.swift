// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// A stack of features that dismiss themselves, in code that is on the main actor by default.
struct Shelf: Reducer {
  struct State: Equatable { var volumes = ChildStack<Volume.State>() }
  enum Action: Equatable, Sendable { case volumes(StackAction<Volume.State, Volume.Action>) }

  static let volumes = CasePath(
    embed: Action.volumes, extract: { if case .volumes(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Reduce<State, Action> { _, _ in .none }
      .stack(\.volumes, action: Self.volumes) { Volume() }
      .reduce(into: &state, action: action)
  }
}

struct Volume: Reducer {
  struct State: Equatable { var title: String }
  enum Action: DismissingAction, Equatable {
    case renamed(String), closeTapped
    var isDismissal: Bool { self == .closeTapped }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .renamed(let title) = action { state.title = title }
    return .none
  }
}

@Suite struct ShelfTests {
  @Test func `A stack and a child that dismisses itself need no isolation annotation (M8)`() async {
    let store = TestStore(initialState: Shelf.State(), reducer: Shelf())
    store.send(.volumes(.push(Volume.State(title: "a")))) { $0.volumes.push(Volume.State(title: "a")) }
    store.send(.volumes(.element(0, .renamed("b")))) { $0.volumes.elements[0].title = "b" }
    store.send(.volumes(.element(0, .closeTapped))) { $0.volumes.dismiss(0) }
    await store.finish()
  }
}
