// This source file is part of swift-effects. License: Apache-2.0.

internal import JobCapture

/// The work of a store as it is, without its threads: tasks, drains of actors and continuations that a body makes ready
/// stay on the calling thread, and are run when the body says so, one after another.
///
/// Nothing of the store is replaced: only where the runtime would hand a job to its pool of threads, a hook keeps it. So
/// everything is as repeatable as the order in which the body has jobs run, and when none is left nothing more can
/// happen. Other threads are not concerned.
package struct CapturedJobs {
  private init() {}

  /// Captures what becomes ready in the body; at its end all of that has been run.
  package static func with<Result>(_ body: (CapturedJobs) throws -> Result) rethrows -> Result {
    job_capture_begin()
    defer { job_capture_end() }
    let jobs = CapturedJobs()
    defer { jobs.runAll() }
    return try body(jobs)
  }

  /// Runs jobs until none is left: in the order they came, or in another one.
  ///
  /// - Returns: `false` if there is no end to them.
  @discardableResult
  package func runAll(limit: Int = 1_000_000, choose: (Int) -> Int = { _ in 0 }) -> Bool {
    var left = limit
    while case let count = job_capture_count(), count > 0 {
      guard left > 0 else { return false }
      left -= 1
      guard let job = unsafe job_capture_take(count == 1 ? 0 : choose(Int(count))) else { return false }
      // SAFETY: an unowned job is nothing but the pointer that the runtime hands to the hook.
      unsafe unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: Here.shared.asUnownedTaskExecutor())
    }
    return true
  }

  /// Where captured jobs believe to be: a task that yields asks its executor, not the hook.
  private final class Here: TaskExecutor {
    static let shared = Here()

    func enqueue(_ job: consuming ExecutorJob) {
      // SAFETY: as above, the other way round.
      unsafe job_capture_add(unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self))
    }
  }
}
