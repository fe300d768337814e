// This source file is part of swift-effects. License: Apache-2.0.

/// Which schedules are run twice: the first ones, and then fewer and fewer, so that the check costs very little.
struct RepeatCheck {
  private var next = 0
  private var shortest = Duration.seconds(1)
  private var slowLeft = 8

  /// Whether the schedule with this number, counted from 0, is to be run again.
  mutating func isDue(_ number: Int) -> Bool {
    guard number >= next else { return false }
    next = max(64, number * 64)
    return true
  }

  /// Whether a schedule took so long that something outside may have answered before its run suspended. Such a run does not
  /// wait, and so nothing shows that it has been outside. When the schedule is run again, the run waits.
  ///
  /// The system may stop a thread for milliseconds at any point. At most 8 schedules of an exploration are slow: in a longer
  /// exploration the same closure is called in many schedules.
  mutating func isSlow(_ duration: Duration) -> Bool {
    shortest = min(shortest, duration)
    guard slowLeft > 0, !isFast(duration) else { return false }
    slowLeft -= 1
    return true
  }

  /// Whether a schedule took about as long as the shortest one.
  func isFast(_ duration: Duration) -> Bool { duration <= shortest + .microseconds(300) }

  /// Where two logs of one schedule differ first; `nil` if they are equal.
  static func difference(_ first: [String], _ second: [String]) -> Int? {
    for index in 0..<max(first.count, second.count) {
      guard index < first.count, index < second.count, first[index] == second[index] else { return index }
    }
    return nil
  }
}
