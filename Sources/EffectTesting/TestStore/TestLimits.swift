// This source file is part of swift-effects. License: Apache-2.0.

@usableFromInline
package enum TestLimits {
  /// How many actions a turn may have, and how many a test may receive at one instant without expecting them, before a step
  /// stops them. More than a test has: in a debug build this many take some seconds.
  @inlinable package static var actions: Int { 200_000 }
  /// The same for a turn in an exploration, which repeats a schedule with such a turn several times.
  @inlinable package static var exploredActions: Int { 100_000 }
}
