// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Navigation.md.

import EffectTesting
import Testing

// listing: dismiss
struct NameForm: Reducer {
  struct State: Equatable, Sendable { var name = "" }
  enum Action: DismissingAction, Equatable {
    case nameChanged(String), doneTapped, cancelTapped
    var isDismissal: Bool { self == .doneTapped || self == .cancelTapped }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .nameChanged(let name) = action { state.name = name }
    return .none
  }
}
// end

struct Account: Reducer {
  struct State: Equatable, Sendable { var name = "Ada"; var form: NameForm.State? }
  enum Action: Equatable, Sendable { case editTapped, form(NameForm.Action) }

  static let form = CasePath(Action.form)

  // listing: dismissParent
  var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .editTapped: state.form = NameForm.State(name: state.name)
      case .form(.doneTapped): state.name = state.form?.name ?? state.name   // it is still there, and is removed after this
      case .form: break
      }
      return .none
    }
    .ifLet(\.form, action: Self.form) { NameForm() }
  }
  // end

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

@Suite struct `Listings about navigation` {
  @Test func aFormDismissesItself() async {
    let store = TestStore(initialState: Account.State(), reducer: Account())

    store.send(.editTapped) { $0.form = NameForm.State(name: "Ada") }
    store.send(.form(.nameChanged("Grace"))) { $0.form?.name = "Grace" }
    store.send(.form(.doneTapped)) { $0.name = "Grace"; $0.form = nil }
    store.send(.editTapped) { $0.form = NameForm.State(name: "Grace") }
    store.send(.form(.cancelTapped)) { $0.form = nil }
    await store.finish()
  }
}
