// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// A clock that is advanced by hand, so that the race has the same times in each run of the program.
final class HandClock: Clock {
  struct Instant: InstantProtocol {
    var time: Duration = .zero

    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
  }

  private let time = Mutex(Instant())

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

  /// Does not wait: a sleep advances the clock to its deadline.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
  }
}
