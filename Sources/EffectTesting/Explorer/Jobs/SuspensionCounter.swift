// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The executor of one run of a schedule: counts how often the run has given up its thread, and says whether its jobs can stop
/// before they post a message.
@usableFromInline
final class SuspensionCounter: TaskExecutor, Sendable {
  private struct Count {
    var left: Int
    var hasReturned = false
  }

  private let executor: ScheduleExecutor
  private let count: Lock<Count>
  /// Whether its jobs are executed on a thread that can stop.
  let stops: Bool
  /// Whether a cancel can reach the run behind an action, so that its jobs stop there.
  let isReached: Bool

  init(_ executor: ScheduleExecutor, limit: Int = .max, stops: Bool, isReached: Bool) {
    self.executor = executor
    self.stops = stops
    self.isReached = isReached
    count = Lock(Count(left: limit))
  }

  @usableFromInline
  func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, of: self) }

  /// Called within the last job.
  func hasReturned() { count.withLock { $0.hasReturned = true } }

  /// A job is over. Returns whether the run has suspended for the last time, and has not returned.
  func jobHasEnded() -> Bool {
    count.withLock { count in
      if count.hasReturned { return false }
      count.left -= 1
      return count.left == 0
    }
  }

  var isDue: Bool { count.withLock { $0.left <= 0 && !$0.hasReturned } }
}
