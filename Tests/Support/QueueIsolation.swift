// This source file is part of swift-effects. License: Apache-2.0.

internal import Dispatch

/// An isolation with its own threads: a reducer may block there without using a thread of the pool that tests run on.
package actor QueueIsolation {
  private nonisolated let executor: QueueExecutor

  package init(label: String = "QueueIsolation") {
    executor = QueueExecutor(DispatchQueue(label: label))
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Lets its executor run the body as well, after the jobs that are already queued.
  package nonisolated func enqueue(_ body: @escaping @Sendable () -> Void) {
    executor.queue.async(execute: body)
  }
}

private final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
