// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A bank account. A deposit counts when the bank has confirmed it. Several deposits may be on their way at the same time.
struct Account: Reducer {
  struct State: Equatable, Sendable {
    var balance = 0
  }

  enum Action: Equatable, Sendable {
    case deposited(Int)
    case confirmed(balance: Int)
  }

  struct Deposit: Hashable, Sendable {
    var amount: Int
    var balance: Int
  }

  var confirm: @Sendable (_ amount: Int) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .deposited(let amount):
      return .run(input: Deposit(amount: amount, balance: state.balance)) { [confirm] deposit, send in
        try await confirm(deposit.amount)
        send(.confirmed(balance: deposit.balance + deposit.amount))
      }
    case .confirmed(let balance):
      state.balance = balance
      return .none
    }
  }
}
