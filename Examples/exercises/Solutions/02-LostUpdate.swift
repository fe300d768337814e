// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A bank account. A deposit counts when the bank has confirmed it. Several deposits may be on their way at the same time.
struct Account: Reducer {
  struct State: Equatable, Sendable {
    var balance = 0
  }

  enum Action: Equatable, Sendable {
    case deposited(Int)
    case confirmed(amount: Int)
  }

  var confirm: @Sendable (_ amount: Int) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .deposited(let amount):
      return .run(input: amount) { [confirm] amount, send in
        try await confirm(amount)
        send(.confirmed(amount: amount))
      }
    case .confirmed(let amount):
      // The balance of this moment, and not that of the moment when the run began.
      state.balance += amount
      return .none
    }
  }
}
