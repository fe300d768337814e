// This source file is part of swift-effects. License: Apache-2.0.

/// The store's only source of time (rule C1): its clock, and the instant at which the store was made.
///
/// - Isolation: usable from any thread.
@usableFromInline
package struct TimeSource: Sendable {
  /// The store's clock.
  package let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  /// Reads the time for the library, and not for user code; `nil` if it is read as usual.
  private let uncounted: (@Sendable () -> Duration)?
  private let sleeper: @Sendable (Duration) async throws -> Void
  private let isEndless: Bool
  /// The clock is the system's, of which a sleep that is cancelled keeps its memory until its deadline.
  let keepsCancelledSleeps: Bool

  /// Makes a source of time that begins now.
  ///
  /// - Parameters:
  ///   - clock: the store's clock.
  ///   - uncounted: reads the time for the library, for a shell that counts the readings of user code; `nil` for the clock.
  @usableFromInline
  package init(_ clock: any Clock<Duration>, uncounted: (@Sendable () -> Duration)? = nil) {
    self.clock = clock
    isEndless = clock is any EndlessClock
    keepsCancelledSleeps = clock is ContinuousClock
    self.uncounted = uncounted
    // Names the clock of most stores by its type, so that the compiler can specialise the reading, which takes half the
    // time.
    (elapsed, sleeper) =
      if let clock = clock as? ContinuousClock { Self.stopwatch(clock) } else { Self.stopwatch(clock) }
  }

  /// How much time has passed since the store was made.
  package var now: Duration { elapsed() }

  /// The same, for the library itself: not a reading of user code.
  var uncountedNow: Duration { uncounted.map { $0() } ?? elapsed() }

  /// Suspends until this much time has passed since the store was made, but for a century at most, unless the clock is an
  /// ``EndlessClock``. Throws what the clock throws.
  package func sleep(until deadline: Duration) async throws {
    try await sleeper(isEndless ? deadline : min(deadline, now.adding(Self.longestSleep)))
  }

  /// Suspends until this much time has passed, also if the clock wakes its sleepers too early, or until the task is cancelled.
  /// Throws if the clock does not wait.
  func wait(for duration: Duration) async throws(ClockFailure) {
    let end = now.adding(max(duration, .zero))
    while !Task.isCancelled {
      let begun = now
      guard begun < end else { return }
      do {
        try await sleep(until: end)
      } catch {
        if Task.isCancelled { return }
        throw ClockFailure(.limit, error: error)
      }
      if now == begun { throw ClockFailure(.limit, error: nil) }
    }
  }

  /// Suspends for this much time; for a century at most, unless the clock is an ``EndlessClock``. Throws what the clock
  /// throws.
  package func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: isEndless ? duration : min(max(duration, .zero), Self.longestSleep))
  }

  // A system clock counts a sleep in nanoseconds, and traps if the number is too large. So does the sum by which most
  // other clocks compute the end of a sleep. But `.seconds(.max)` is a common way to write "never".
  private static var longestSleep: Duration { .seconds(100 * 365 * 86_400) }

  // Only in here is the type of the clock known, and with it the type of its instants.
  @inline(__always)
  private static func stopwatch<C: Clock<Duration>>(
    _ clock: C
  ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
    let start = clock.now
    return ({ start.duration(to: clock.now) }, { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
  }
}

/// A clock that can sleep for any duration: adding to its instants stops at the last instant.
package protocol EndlessClock: Clock {}
