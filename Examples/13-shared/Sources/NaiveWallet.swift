// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Two copies of the points, as they are often written: each feature has its own, and is notified of the other's changes.
/// An effect takes a copy with it, waits for a server, and comes back with a new value.
struct NaiveWallet: Reducer {
  struct State: Equatable, Sendable {
    var shop: Int
    var quiz: Int
  }

  enum Action: Equatable, Sendable {
    case buyTapped(String, price: Int), answered(String)
    case shopHas(Int), quizHas(Int)
  }

  var services: Services

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buyTapped(let item, let price):
      return .run(id: "order", overlap: .enqueue, input: state.shop) { [services] points, send in
        try await services.order(item)
        try await services.save(points - price)
        send(.shopHas(points - price))
      }
    case .answered(let answer):
      return .run(id: "check", overlap: .drop, input: state.quiz) { [services] points, send in
        guard try await services.check(answer) else { return }
        try await services.save(points + 5)
        send(.quizHas(points + 5))
      }
    case .shopHas(let points), .quizHas(let points):
      (state.shop, state.quiz) = (points, points)
      return .none
    }
  }
}
