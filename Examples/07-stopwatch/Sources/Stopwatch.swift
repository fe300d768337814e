// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Measures time, and laps. Start reading here: this is all the logic there is.
struct Stopwatch: Reducer {
  struct State: Equatable, Sendable {
    /// What is shown, in hundredths of a second.
    var elapsed = Duration.zero
    /// How long each lap took; the current lap is not among them.
    var laps: [Duration] = []
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case startTapped
    case stopTapped
    case lapTapped
    case resetTapped
    // From the timer.
    case ticked(elapsed: Duration)
  }

  static let hundredth = Duration.milliseconds(10)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .startTapped:
      // `drop`: a stopwatch that runs is not started again. It goes on from the time that it shows.
      return .timer(id: "ticks", overlap: .drop, every: Self.hundredth) { [before = state.elapsed] tick in
        // The number of the tick gives the time that has passed. Do not count the ticks: some are left out.
        .ticked(elapsed: before + Self.hundredth * tick)
      }
    case .ticked(let elapsed):
      state.elapsed = elapsed
      return .none

    case .stopTapped:
      return .cancel(id: "ticks")
    case .lapTapped:
      state.laps.append(state.elapsed - state.laps.reduce(.zero, +))
      return .none
    case .resetTapped:
      state = State()
      return .cancel(id: "ticks")
    }
  }
}
