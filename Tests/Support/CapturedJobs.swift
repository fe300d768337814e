// This source file is part of swift-effects. License: Apache-2.0.

internal import JobCapture

/// The work of an unmodified store, without its threads: tasks, drains of actors and continuations that a body makes
/// ready stay on the calling thread. They run one after another when the body requests it.
///
/// No part of the store is replaced. A hook only keeps each job that the runtime would pass to its pool of threads. The
/// result depends only on the order in which the body runs the jobs. When no job is left nothing more can happen. Other
/// threads are not affected.
package struct CapturedJobs {
  private init() {}

  /// Captures the jobs that become ready in the body. At the end of the body all of them have been run.
  package static func with<Result>(_ body: (CapturedJobs) throws -> Result) rethrows -> Result {
    job_capture_begin()
    defer { job_capture_end() }
    let jobs = CapturedJobs()
    defer { jobs.runAll() }
    return try body(jobs)
  }

  /// Runs jobs until none is left, in the order in which they came or in another order.
  ///
  /// - Returns: `false` if the jobs do not end.
  @discardableResult
  package func runAll(limit: Int = 1_000_000, choose: (Int) -> Int = { _ in 0 }) -> Bool {
    var left = limit
    while case let count = job_capture_count(), count > 0 {
      guard left > 0 else { return false }
      left -= 1
      guard let job = unsafe job_capture_take(count == 1 ? 0 : choose(Int(count))) else { return false }
      // SAFETY: an unowned job consists only of the pointer that the runtime passes to the hook.
      unsafe unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: Here.shared.asUnownedTaskExecutor())
    }
    return true
  }

  /// The executor of the captured jobs: a task that yields uses its executor, not the hook.
  private final class Here: TaskExecutor {
    static let shared = Here()

    func enqueue(_ job: consuming ExecutorJob) {
      // SAFETY: as above, in the other direction.
      unsafe job_capture_add(unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self))
    }
  }
}
