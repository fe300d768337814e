// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// In which order schedules are tried.
  enum Search: Sendable {
    /// At first 500 schedules at random and 500 by priorities, or a twentieth of a small budget each, at the highest level, because
    /// this finds deep bugs early. Then each level in turn, each state.
    case levels(upTo: Level)
    /// One level, each state.
    case states(Level)
    /// One level, every schedule: the oracle of the search of states.
    case full(Level)
    /// At random, from the seed; never complete. Of generated actions every second schedule uses a random part only.
    case random(Level)
    /// By priorities that change a few times (probabilistic concurrency testing), from the seed; never complete.
    case priorities(Level, changes: Int)

    /// A part of a search.
    struct Phase {
      var level: Level
      var strategy: any Strategy
      /// Whether the strategy goes through everything, so that the level can be complete.
      var isExhaustive: Bool { strategy is VisitedStates || strategy is DepthFirst }
      /// How many schedules it may run; `nil` for all that are left.
      var share: Int?
    }

    func phases(budget: Int, seed: UInt64) -> [Phase] {
      let share = min(500, max(1, budget / 20))
      switch self {
      case .levels(let highest):
        return [
          Phase(level: highest, strategy: RandomWalk(seed: seed, swarms: true), share: share),
          Phase(level: highest, strategy: PriorityWalk(seed: seed, changes: 2, swarms: true), share: share),
        ]
          + Level.allCases.filter { $0 <= highest }.map { level in
            Phase(level: level, strategy: VisitedStates())
          }
      case .states(let level): return [Phase(level: level, strategy: VisitedStates())]
      case .full(let level): return [Phase(level: level, strategy: DepthFirst())]
      case .random(let level): return [Phase(level: level, strategy: RandomWalk(seed: seed, swarms: true))]
      case .priorities(let level, let changes):
        return [Phase(level: level, strategy: PriorityWalk(seed: seed, changes: max(0, changes), swarms: true))]
      }
    }
  }
}
