// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A shop where points are spent. It knows neither the quiz nor the owner of the points.
struct Shop: Reducer {
  struct State: Equatable, Sendable {
    var points: Int
    var page = Page()
  }

  /// What belongs to the shop alone.
  struct Page: Equatable, Sendable {
    var bought: [String] = []
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case buyTapped(String, price: Int)
    case delivered(String)
    case refused(String, price: Int)
  }

  var order: @Sendable (String) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buyTapped(let item, let price):
      guard state.points >= price else {
        state.page.problem = "\(item) costs \(price)"
        return .none
      }
      // The points are spent now, not when the answer comes: no other purchase can spend them meanwhile.
      state.points -= price
      return .run(id: "order", overlap: .enqueue, input: item) { [order] item, send in
        try await order(item)
        send(.delivered(item))
      } catch: { _, send in
        send(.refused(item, price: price))
      }
    case .delivered(let item):
      state.page.bought.append(item)
      state.page.problem = nil
    case .refused(let item, let price):
      // The action says what changes. The new value is computed here, from the value of now.
      state.points += price
      state.page.problem = "\(item) is sold out"
    }
    return .none
  }
}
