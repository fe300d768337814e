// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// The clock of a busy machine: it ends each sleep up to 16 milliseconds late. The delay depends on the number of the
/// sleep, so every run of the program is the same, and no real time passes. For one sleeper at a time.
final class LateClock: Clock {
  struct Instant: InstantProtocol {
    var time = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
  }

  private struct Content {
    var now = Instant()
    /// How many sleeps have ended, and how many more may.
    var ended = 0
    var left = 0
    /// The sleeper while no sleep may end, and the caller of `pass` that waits for it.
    var sleeper: (deadline: Instant, continuation: CheckedContinuation<Void, Never>)?
    var owner: CheckedContinuation<Void, Never>?

    mutating func wake(at deadline: Instant) {
      ended += 1
      left -= 1
      now = max(now, deadline).advanced(by: .milliseconds(ended * 7 % 17))
    }
  }

  private let content = Mutex(Content())

  var now: Instant { content.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  /// Ends this number of sleeps, and returns when the next one has begun.
  func pass(sleeps: Int) async {
    await withCheckedContinuation { owner in
      let sleeper = content.withLock { content in
        content.left = sleeps
        content.owner = owner
        let sleeper = content.sleeper.take()
        if let sleeper { content.wake(at: sleeper.deadline) }
        return sleeper
      }
      sleeper?.continuation.resume()
    }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (sleeper: CheckedContinuation<Void, Never>) in
        let resumed = content.withLock { content in
          if Task.isCancelled { return Optional(sleeper) }
          if content.left > 0 {
            content.wake(at: deadline)
            return sleeper
          }
          content.sleeper = (deadline, sleeper)
          return content.owner.take()
        }
        resumed?.resume()
      }
    } onCancel: {
      content.withLock { $0.sleeper.take() }?.continuation.resume()
    }
    try Task.checkCancellation()
  }
}
