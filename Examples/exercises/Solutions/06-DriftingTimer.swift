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
      // The tenth tick comes ten seconds after the start. A sleep would begin when the click has ended.
      return .timer(id: "metronome", overlap: .restart, every: .seconds(1)) { _ in .beat }
    case .stopTapped:
      return .cancel(id: "metronome")
    case .beat:
      state.beats += 1
      return .run { [click] _ in try await click() }
    }
  }
}
