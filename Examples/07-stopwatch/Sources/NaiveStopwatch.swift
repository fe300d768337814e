// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The stopwatch as it is often written first: sleeps for a hundredth of a second, and adds one. But each sleep ends a
/// little late, and the work between two sleeps takes time too. All this time is lost.
struct NaiveStopwatch: Reducer {
  typealias State = Stopwatch.State

  enum Action: Equatable, Sendable {
    case startTapped
    case ticked
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .startTapped:
      return .run(id: "ticks", overlap: .drop) { send in
        while true {
          try await send.sleep(for: Stopwatch.hundredth)
          guard await send.delivered(.ticked) else { return }
        }
      }
    case .ticked:
      state.elapsed += Stopwatch.hundredth
      return .none
    }
  }
}
