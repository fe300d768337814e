// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// In which order schedules are tried.
  public struct Search: Sendable {
    enum Kind: Sendable {
      case standard
      case depthFirst(Grain, preemptions: Int?)
      case random(Grain)
      case priorities(Grain, changes: Int)
    }

    let kind: Kind

    /// Random first, which finds deep bugs early: a twentieth of the budget as a random walk and a twentieth by
    /// priorities, both at `everyJob`. Then depth first at `descend`, with at most two preemptions and then with any
    /// number. Then depth first at `everyJob`, until that is complete or the budget is spent.
    public static let standard = Search(kind: .standard)

    /// Every schedule, one by one; complete if the budget is large enough. With a bound, only schedules with at most
    /// that many preemptions: steps in which another agent acts although the last one could go on.
    ///
    /// - Parameters:
    ///   - grain: how finely the work of effects is interleaved.
    ///   - preemptions: how many a schedule may have; `nil` for any number.
    /// - Returns: the search.
    public static func depthFirst(_ grain: Exploration.Grain, preemptions: Int? = nil) -> Search {
      Search(kind: .depthFirst(grain, preemptions: preemptions))
    }

    /// Random, from the seed; never complete. Of generated actions every second schedule uses a random part only.
    ///
    /// - Parameter grain: how finely the work of effects is interleaved.
    /// - Returns: the search.
    public static func random(_ grain: Exploration.Grain = .everyJob) -> Search { Search(kind: .random(grain)) }

    /// By priorities that change a few times (probabilistic concurrency testing), from the seed; never complete.
    ///
    /// - Parameters:
    ///   - grain: how finely the work of effects is interleaved.
    ///   - changes: how often in a schedule the agent that acted last gets the lowest priority. Less than 0 counts as
    ///     0.
    /// - Returns: the search.
    public static func priorities(_ grain: Exploration.Grain = .everyJob, changes: Int = 2) -> Search {
      Search(kind: .priorities(grain, changes: max(0, changes)))
    }

    /// A part of a search.
    struct Phase {
      var grain: Exploration.Grain
      var strategy: any Strategy
      /// How many schedules it may run; `nil` for all that are left.
      var share: Int?
    }

    func phases(budget: Int, seed: UInt64, reduction: Exploration.Reduction = .none) -> [Phase] {
      let exhaustive: any Strategy =
        switch reduction {
        case .none: DepthFirst()
        case .independentSteps: SleepSets()
        }
      switch kind {
      case .standard:
        let share = max(1, budget / 20)
        return [
          Phase(grain: .everyJob, strategy: RandomWalk(seed: seed, swarms: true), share: share),
          Phase(grain: .everyJob, strategy: PriorityWalk(seed: seed, changes: 2, swarms: true), share: share),
          Phase(grain: .descend, strategy: DepthFirst(preemptions: 2), share: budget / 4),
          Phase(grain: .descend, strategy: exhaustive, share: nil),
          Phase(grain: .everyJob, strategy: exhaustive, share: nil),
        ]
      case .depthFirst(let grain, let bound):
        // With a bound, the schedule that is left out may be the only one of its class with so few preemptions.
        return [
          Phase(grain: grain, strategy: bound == nil ? exhaustive : DepthFirst(preemptions: bound), share: nil)
        ]
      case .random(let grain):
        return [Phase(grain: grain, strategy: RandomWalk(seed: seed, swarms: true), share: nil)]
      case .priorities(let grain, let changes):
        return [Phase(grain: grain, strategy: PriorityWalk(seed: seed, changes: changes, swarms: true), share: nil)]
      }
    }
  }
}
