// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

extension Scenario {
  static let explorations = [
    Scenario(name: "explored") {
      await explore(initialState: 0, reducer: twoSenders) { run in  // fails: explored
        run.send(0)
      } always: { state in
        state != 2
      }
    },
    Scenario(name: "exploredInside") {
      await explore(replaying: "u d e1 d") { schedule in  // fails: exploredInside
        schedule.store(initialState: 0, reducer: twoSenders, always: { $0 != 2 }).send(0)
      }
    },
    Scenario(name: "replayDoesNotFit") {
      await explore(initialState: 0, reducer: twoSenders, replaying: "u e5") { run in  // fails: replayDoesNotFit
        run.send(0)
      }
    },
  ]

  private static var twoSenders: Feature {
    Feature { state, action in
      state = action
      return action == 0 ? .merge(.run { send in send(1) }, .run { send in send(2) }) : .none
    }
  }
}
