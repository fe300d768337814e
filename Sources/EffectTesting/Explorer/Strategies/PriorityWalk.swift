// This source file is part of swift-effects. License: Apache-2.0.

/// Probabilistic concurrency testing: each agent has a random priority, and the agent with the highest priority acts.
/// At a few random moments the agent that acted last gets the lowest priority of all.
///
/// Finds a bug that needs `changes` + 1 orderings with a probability that has a lower bound, however long the schedules
/// are.
///
/// - Origin: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of
///   Finding Bugs", ASPLOS 2010.
struct PriorityWalk: Strategy {
  private var numbers: SeededNumbers
  private let changeCount: Int
  /// The moments of this schedule at which an agent gets the lowest priority.
  private var changes: [Int] = []
  private var priorities: [Int32: Int64] = [:]
  private var lowest: Int64 = 0
  private var position = 0
  /// How long the longest schedule was.
  private var length = 8

  private var swarm: Swarm

  init(seed: UInt64, changes: Int, swarms: Bool = false) {
    numbers = SeededNumbers(seed: seed)
    changeCount = changes
    swarm = Swarm(isOn: swarms)
  }

  mutating func subset(of count: Int) -> [Int]? { swarm.subset(of: count, &numbers) }

  mutating func begin() -> Bool {
    swarm.begin()
    length = max(length, position)
    position = 0
    lowest = 0
    priorities.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    for _ in 0..<changeCount { changes.append(numbers.next(below: length)) }
    return true
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    defer { position += 1 }
    if options.count == 1 { return 0 }
    // A number that the script requests belongs to no agent.
    if options[0].step.kind == .choice { return numbers.next(below: options.count) }
    if changes.contains(position), last >= 0 {
      lowest -= 1
      priorities[last] = lowest
    }
    var best: [Int] = []
    var highest = Int64.min
    for (index, option) in options.enumerated() {
      let own = priority(of: option.agent)
      if own > highest {
        highest = own
        best = [index]
      } else if own == highest {
        best.append(index)
      }
    }
    return best.count == 1 ? best[0] : best[numbers.next(below: best.count)]
  }

  private mutating func priority(of agent: Int32) -> Int64 {
    if let known = priorities[agent] { return known }
    let drawn = Int64(numbers.next() >> 2) + 1
    priorities[agent] = drawn
    return drawn
  }
}
