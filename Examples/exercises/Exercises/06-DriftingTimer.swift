// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A metronome: one beat each second. Each beat plays a click, which takes a moment.
struct Metronome: Reducer {
  struct State: Equatable, Sendable {
    var beats = 0
  }

  enum Action: Equatable, Sendable {
    case startTapped
    case stopTapped
    case beat
  }

  var click: @Sendable () async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .startTapped:
      return .run(id: "metronome", overlap: .restart) { [click] send in
        while true {
          try await send.sleep(for: .seconds(1))
          send(.beat)
          try await click()
        }
      }
    case .stopTapped:
      return .cancel(id: "metronome")
    case .beat:
      state.beats += 1
      return .none
    }
  }
}
