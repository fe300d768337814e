// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The last page of a shop. The button "Buy" orders what is in the basket, once, however often it is tapped.
struct Checkout: Reducer {
  struct State: Equatable, Sendable {
    var basket: String
    var receipt: Int?  // the number of the order: 1 for the first, 2 for a second one
  }

  enum Action: Equatable, Sendable {
    case buyTapped
    case ordered(receipt: Int)
  }

  var order: @Sendable (_ basket: String) async throws -> Int

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buyTapped:
      guard state.receipt == nil else { return .none }
      return .run(id: "order", overlap: .concurrent, input: state.basket) { [order] basket, send in
        send(.ordered(receipt: try await order(basket)))
      }
    case .ordered(let receipt):
      state.receipt = receipt
      return .none
    }
  }
}
