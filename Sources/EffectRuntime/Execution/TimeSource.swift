// This source file is part of swift-effects. License: Apache-2.0.

/// The store's only source of time (rule C1): its clock, and when it began.
@usableFromInline
package struct TimeSource: Sendable {
  package let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  /// The same, for what is noted by the store and not read by the user's code.
  private let noted: (@Sendable () -> Duration)?
  private let sleeper: @Sendable (Duration) async throws -> Void
  private let isEndless: Bool

  @usableFromInline
  package init(_ clock: any Clock<Duration>, noted: (@Sendable () -> Duration)? = nil) {
    self.clock = clock
    isEndless = clock is any EndlessClock
    self.noted = noted
    // The clock of most stores by its own name, so that the compiler knows how it is read: in half the time.
    (elapsed, sleeper) =
      if let clock = clock as? ContinuousClock { Self.stopwatch(clock) } else { Self.stopwatch(clock) }
  }

  /// How much time has passed since the store was made.
  package var now: Duration { elapsed() }

  /// The same, for a note about what happens.
  var nowOfNotes: Duration { noted.map { $0() } ?? elapsed() }

  /// Suspends until so much time has passed since the store was made, or for a century.
  package func sleep(until deadline: Duration) async throws {
    try await sleeper(min(deadline, now.adding(Self.longestSleep)))
  }

  /// Suspends for so much time; for a century at most, unless the clock has an instant for each duration.
  package func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: isEndless ? duration : min(max(duration, .zero), Self.longestSleep))
  }

  // A clock of the system counts a sleep in nanoseconds, and traps where these are too many, as the sum does by which most
  // other clocks find the end of a sleep. But `.seconds(.max)` is how people say "never".
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

/// A clock that can be asked to sleep for any duration: adding to its instants stops at the last one there is.
package protocol EndlessClock: Clock {}
