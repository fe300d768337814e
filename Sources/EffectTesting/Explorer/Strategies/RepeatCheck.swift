// This source file is part of swift-effects. License: Apache-2.0.

/// Which schedules are run twice: the first ones, and then ever fewer, so that the check costs next to nothing.
struct RepeatCheck {
  private var next = 0

  /// Whether the schedule of that number, counted from 0, is to be run again.
  mutating func isDue(_ number: Int) -> Bool {
    guard number >= next else { return false }
    next = max(64, number * 64)
    return true
  }

  /// Where two accounts of one schedule part; `nil` if they do not.
  static func difference(_ first: [String], _ second: [String]) -> Int? {
    for index in 0..<max(first.count, second.count) {
      guard index < first.count, index < second.count, first[index] == second[index] else { return index }
    }
    return nil
  }
}
