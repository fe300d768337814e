// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The actions that a step has received without expecting them: how many at the present instant, and lines about the
/// first of them.
struct ActionCount {
  private(set) var lines: [String] = []
  /// All of them.
  private(set) var total = 0
  private var instant = Duration.zero
  private var atInstant = 0

  /// Adds an action. If it counts as unexpected, it has a line.
  mutating func add(at now: Duration, line: @autoclosure () -> String?) {
    if now != instant { (instant, atInstant) = (now, 0) }
    atInstant += 1
    // A line takes far longer than a reduction, and only the first ones are shown.
    guard total < 1_000 else { return total += 1 }
    guard let line = line() else { return }
    total += 1
    lines.append(line)
  }

  /// Whether so many came at one instant that they count as endless.
  func isEndless(_ limit: Int) -> Bool { atInstant >= limit }
}
