// This source file is part of swift-effects. License: Apache-2.0.

/// The store's only source of time (rule C1): its clock, and when it began.
@usableFromInline
package struct TimeSource: Sendable {
  package let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let sleeper: @Sendable (Duration) async throws -> Void

  @usableFromInline
  package init(_ clock: any Clock<Duration>) {
    self.clock = clock
    // The clock of most stores by its own name, so that the compiler knows how it is read: in half the time.
    (elapsed, sleeper) =
      if let clock = clock as? ContinuousClock { Self.stopwatch(clock) } else { Self.stopwatch(clock) }
  }

  /// How much time has passed since the store was made.
  package var now: Duration { elapsed() }

  /// Suspends until so much time has passed since the store was made, or for a century.
  package func sleep(until deadline: Duration) async throws {
    try await sleeper(min(deadline, now.adding(Self.longestSleep)))
  }

  /// Suspends for so much time; on a clock of the system for a century at most.
  package func sleep(for duration: Duration) async throws {
    let isOfSystem = clock is ContinuousClock || clock is SuspendingClock
    try await clock.sleep(for: isOfSystem ? min(max(duration, .zero), Self.longestSleep) : duration)
  }

  // A clock of the system counts a sleep in nanoseconds, and traps where these are too many. But `.seconds(.max)` is how
  // people say "never".
  private static var longestSleep: Duration { .seconds(100 * 365 * 86_400) }

  // The clock's type is known in here only, and with it what its instants can be compared to.
  @inline(__always)
  private static func stopwatch<C: Clock<Duration>>(
    _ clock: C
  ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
    let start = clock.now
    return ({ start.duration(to: clock.now) }, { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
  }
}
