// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectTesting

/// An account that several senders use. A read is answered with what is shown. With the bug, that is a copy that a run
/// updates: a deposit whose run is replaced by that of another deposit is answered before.
struct Bank: Reducer {
  struct State: Equatable, Sendable {
    var balance = 0
    var shown = 0
  }
  enum Action: Equatable, Sendable { case deposit(Int), read, show(Int), saved }

  var isStale = false

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .deposit(let amount):
      state.balance += amount
      if isStale {
        return .run(id: "show", overlap: .restart, input: state.balance) { balance, send in send(.show(balance)) }
      }
      state.shown = state.balance
      return .run(id: "save", overlap: .concurrent) { send in send(.saved) }
    case .show(let balance):
      state.shown = balance
      return .none
    case .read, .saved:
      return .none
    }
  }

  /// What a bank answers if it does one thing after the other.
  static let answers = Exploration.Specification(of: Bank.self, from: 0) { balance, action in
    if case .deposit(let amount) = action { balance += amount }
    return action == .read ? balance : nil
  } answer: { state, action in
    action == .read ? state.shown : nil
  }

  /// Two senders: one deposits and reads, the other deposits.
  static func use(_ run: Exploration.Script<Action>) {
    run.sender("ann") { ann in
      ann.request(.deposit(5), as: answers)
      ann.request(.read, as: answers)
    }
    run.sender("bob") { bob in bob.request(.deposit(1), as: answers) }
  }
}
