// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore

/// Runs tasks on the thread of an event loop: requests do not use the threads of the global pool, which the stores need.
final class LoopExecutor: TaskExecutor {
  let loop: any EventLoop

  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // SAFETY: the loop runs the closure once, and it is the only use of the job.
    loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
