// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import SwiftUI
import TestSupport
import Testing

private struct Account: Reducer {
  struct State: Equatable, Sendable {
    var profile = Profile.State()
    var guest: Profile.State? = Profile.State()
  }
  enum Action: Equatable, Sendable { case profile(Profile.Action), guest(Profile.Action), guestLeft }
  static let profile = CasePath(
    embed: Action.profile, extract: { if case .profile(let action) = $0 { action } else { nil } })
  static let guest = CasePath(
    embed: Action.guest, extract: { if case .guest(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .profile(let action):
      return Profile().reduce(into: &state.profile, action: action).scoped(\State.profile) { .profile($0) }
    case .guest(let action):
      return Profile().reduce(into: &state.guest, action: action).scoped(\State.guest) { .guest($0) }
    case .guestLeft:
      state.guest = nil
      return .cancel(scope: \State.guest)
    }
  }
}

private struct NameView: View {
  @Bindable var profile: ObservableStore<Profile.State, Profile.Action>
  var body: some View { TextField("Name", text: $profile.name) }
}

private struct LabelView: View {
  @Bindable var profile: ObservableStore<Profile.State, Profile.Action>
  var body: some View { Text(profile.name) }
}

@MainActor @Suite struct `Fields that are bound without a macro` {
  private let accounts = ObservableStore(initialState: Account.State(), reducer: Account())

  @Test func `An assignment sends an action, and the reducer changes the state (L1)`() {
    let profile = ObservableStore(initialState: Profile.State(name: "B"), reducer: Profile())
    profile.name = "A"
    #expect(profile.name == "A")
    profile.name = "much too long"
    #expect(profile.name == "A")
    profile.isPublic.toggle()
    #expect(profile.isPublic)
  }

  @Test func `A child store is bound like a store, and what is sent to a removed child is dropped (M3)`() {
    let child = accounts.scope(\.guest, action: Account.guest)!
    let host = ViewHost(
      VStack {
        NameView(profile: accounts.scope(\.profile, action: Account.profile))
        NameView(profile: child)
      })
    host.type("Ann", into: "Name")
    #expect(accounts.profile.name == "Ann")
    child.name = "Bob"
    #expect(accounts.guest?.name == "Bob")
    host.frame()
    #expect(host.screen == "Name: Ann\nName: Bob")
    accounts.send(.guestLeft)
    #expect(child.name == "Bob")
    #expect(host.warnings == [])
  }

  @Test func `Only bodies that read the field are evaluated (M5)`() {
    let host = ViewHost(LabelView(profile: accounts.scope(\.profile, action: Account.profile)))
    accounts.send(.profile(.field(\.isPublic, true)))
    host.frame()
    #expect(host.takeEvaluations() == ["LabelView": 1])
    accounts.send(.profile(.field(\.name, "C")))
    host.frame()
    #expect(host.takeEvaluations() == ["LabelView": 1])
    #expect(host.screen == "C")
  }
}
