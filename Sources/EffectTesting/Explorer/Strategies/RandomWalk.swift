// This source file is part of swift-effects. License: Apache-2.0.

/// Chooses at random, each option with the same probability. Finds bugs that need many switches, which a depth-first
/// search finds late.
struct RandomWalk: Strategy {
  private var numbers: SeededNumbers

  init(seed: UInt64) {
    numbers = SeededNumbers(seed: seed)
  }

  mutating func begin() -> Bool { true }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    options.count == 1 ? 0 : numbers.next(below: options.count)
  }
}
