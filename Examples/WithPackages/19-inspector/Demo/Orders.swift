// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The second store of the demo, with another type of state: orders that arrive by a timer.
struct Orders: Reducer {
  struct Order: Equatable, Codable, Sendable, Identifiable {
    let id: Int
    var isSent = false
  }

  struct State: Equatable, Codable, Sendable {
    var open: [Order] = []
    var sent = 0
  }

  enum Action: Equatable, Codable, Sendable {
    case opened, closed, arrived, sent(Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened: return .timer(id: "orders", overlap: .drop, every: .milliseconds(500)) { _ in .arrived }
    case .closed: return .cancel(id: "orders")
    case .arrived:
      let id = state.sent + state.open.count + 1
      state.open.append(Order(id: id))
      return state.open.count > 3 ? .send(.sent(state.open[0].id)) : .none
    case .sent(let id):
      state.open.removeAll { $0.id == id }
      state.sent += 1
      return .none
    }
  }

  static let codec = RecordingCodec<State, Action>.json()
}
