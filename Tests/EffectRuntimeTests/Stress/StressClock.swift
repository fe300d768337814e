// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport

/// A clock that shows when no sleep on it is active any more.
struct CountedClock<Base: Clock<Duration>>: Clock {
  let base: Base
  let sleeps: Sleeps

  var now: Base.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Base.Instant, tolerance: Duration?) async throws {
    sleeps.begin()
    defer { sleeps.ended.increment() }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

final class Sleeps: Sendable {
  private let begun = Lock(0)
  let ended = Tally()

  func begin() { begun.withLock { $0 += 1 } }

  /// Suspends until no sleep is active.
  func areOver() async { await ended.reaches(begun.withLock { $0 }) }
}
