// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A timer that counts down, may be paused, and dismisses itself at the end.
struct Cooking: Reducer {
  struct State: Hashable, Sendable {
    var seconds: Int
    var isPaused = false

    var text: String {
      let rest = seconds % 60
      return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
  }

  enum Action: DismissingAction, Equatable {
    case started, tick, pauseTapped, stopTapped, finished

    var isDismissal: Bool { self == .stopTapped || self == .finished }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started: return .timer(id: "timer", overlap: .drop, every: .seconds(1), .tick)
    case .tick:
      state.seconds -= 1
      if state.seconds <= 0 { return .send(.finished) }
    case .pauseTapped:
      state.isPaused.toggle()
      return state.isPaused ? .cancel(id: "timer") : .send(.started)
    case .stopTapped, .finished: break
    }
    return .none
  }
}
