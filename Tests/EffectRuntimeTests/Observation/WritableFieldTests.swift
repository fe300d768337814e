// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private struct Account: Reducer {
  struct State: Equatable, Sendable {
    var name = ""
    var balance = 0
    var rows = [Row(id: 1, title: "a")]
    var guest = Guest()
  }
  struct Row: Equatable, Sendable, Identifiable {
    var id: Int
    var title: String
  }
  struct Guest: Equatable, Sendable {
    var name = ""
    var age = 0
  }
  enum Action: FieldAction, Equatable {
    case field(FieldChange<State>), guest(GuestAction)
    static var writableFields: [any PartialKeyPath<State> & Sendable]? { [\.name, \.rows] }
  }
  enum GuestAction: FieldAction, Equatable {
    case field(FieldChange<Guest>)
    static var writableFields: [any PartialKeyPath<Guest> & Sendable]? { [\.age] }
  }
  static let guest = CasePath(
    embed: Action.guest, extract: { if case .guest(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .field(let change): change.apply(to: &state)
    case .guest(.field(let change)): change.apply(to: &state.guest)
    }
    return .none
  }
}

@MainActor @Suite struct `Fields that an action lists as writable` {
  private let failures = Recorder<String>()
  private let account: ObservableStore<Account.State, Account.Action>

  init() {
    account = ObservableStore(initialState: Account.State(), reducer: Account()) { [failures] failure in
      if failure.kind == .fieldNotWritable { failures.record("\(failure)") }
    }
  }

  @Test func `Can be assigned to, and an assignment to another one is reported and sends nothing`() {
    account.name = "Ann"
    #expect(account.name == "Ann")
    account.balance = 1_000
    #expect(account.balance == 0)
    #expect(
      failures.events == [
        """
        \\State.balance = 1000 was assigned, but Action.writableFields does not contain the field. Nothing was sent. Add \
        the field to the list, or bind it with `binding(_:send:)` and an action of its own.
        """
      ])
    account.send(.field(\.balance, 5))
    #expect(account.balance == 5, "an action is reduced as any other")
  }

  @Test func `Are those of the child in a child store`() {
    let guest = account.scope(\.guest, action: Account.guest)
    guest.age = 30
    guest.name = "Bob"
    #expect(account.guest == Account.Guest(age: 30))
    #expect(failures.events.count == 1)
  }

  @Test func `A part of a field is assigned as the whole field`() {
    account.rows[0].title = "b"
    #expect(account.rows == [Account.Row(id: 1, title: "b")])
    #expect(failures.events == [])
  }
}
