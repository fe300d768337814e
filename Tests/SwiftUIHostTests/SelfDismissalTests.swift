// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

/// A form in a sheet, which dismisses itself.
private struct Person: Reducer {
  struct State: Equatable, Sendable {
    var name = "Ada"
    var form: PersonForm.State?
  }
  enum Action: Equatable, Sendable { case editTapped, form(PersonForm.Action), formClosed }

  static let form = CasePath(embed: Action.form, extract: { if case .form(let action) = $0 { action } else { nil } })

  let log: Recorder<String>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    log.record("\(action)")
    return Reduce<State, Action> { state, action in
      switch action {
      case .editTapped: state.form = PersonForm.State(name: state.name)
      case .form(.doneTapped): state.name = state.form?.name ?? "none"
      case .formClosed: state.form = nil
      case .form: break
      }
      return .none
    }
    .ifLet(\.form, action: Self.form) { PersonForm() }
    .reduce(into: &state, action: action)
  }
}

private struct PersonForm: Reducer {
  struct State: Equatable, Sendable { var name: String }
  enum Action: DismissingAction, Equatable, CustomStringConvertible {
    case nameChanged(String), doneTapped
    var isDismissal: Bool { self == .doneTapped }
    var description: String { if case .nameChanged(let name) = self { "named \(name)" } else { "done" } }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .nameChanged(let name) = action { state.name = name }
    return .none
  }
}

private struct PersonView: View {
  let profile: ObservableStore<Person.State, Person.Action>
  var body: some View {
    Text(profile.name)
      .sheet(profile.presentation(\.form, action: Person.form, dismiss: .formClosed)) { form in
        TextField("Name", text: form.binding(\.name, send: PersonForm.Action.nameChanged))
        Button("Done") { form.send(.doneTapped) }
      }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `A sheet whose child dismisses itself` {
  @Test func `It disappears with one action, which the parent has seen, and is not blank meanwhile (M8)`() {
    let log = Recorder<String>()
    let profile = ObservableStore(initialState: Person.State(), reducer: Person(log: log))
    let host = ViewHost(PersonView(profile: profile))
    profile.send(.editTapped)
    host.frame()
    host.type("!", into: "Name")
    host.tap("Done")
    host.frame()
    #expect(host.screen == "Ada!\n--- sheet, leaving\nName: Ada!\n[Done]")
    host.frame()
    #expect(host.screen == "Ada!")
    #expect(log.events == ["editTapped", "form(named Ada!)", "form(done)"])
    #expect(host.warnings == [])
  }
}
