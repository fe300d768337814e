// This source file is part of swift-effects. License: Apache-2.0.

/// Chooses at random, each option with the same probability. Finds bugs that need many switches, which a depth-first
/// search finds late.
struct RandomWalk: Strategy {
  private var numbers: SeededNumbers
  private var swarm: Swarm

  init(seed: UInt64, swarms: Bool = false) {
    numbers = SeededNumbers(seed: seed)
    swarm = Swarm(isOn: swarms)
  }

  mutating func begin() -> Bool {
    swarm.begin()
    return true
  }

  mutating func subset(of count: Int) -> [Int]? { swarm.subset(of: count, &numbers) }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    options.count == 1 ? 0 : numbers.next(below: options.count)
  }
}
