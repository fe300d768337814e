// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Runs the jobs of a test one after another, when told to, on the thread of whoever tells it.
///
/// Runs stay on it by preference: their own code, default actors they call, child tasks, continuations that are resumed
/// elsewhere. What leaves (the main actor, detached tasks, real I/O) comes back by `enqueue`, which wakes a waiting
/// step. So a step never polls: either a job is ready, or somebody outside must act first.
package final class TestExecutor: TaskExecutor, Sendable {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var head = 0
    /// Something came in from outside that is no job: an action of a detached task.
    var hasNews = false
    var waiting: Waiter?
    /// The test is over: what still comes back is run at once, elsewhere, so that nothing stays suspended for good.
    var isAbandoned = false
  }

  private let queue = Lock(Queue())

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (waiting, isAbandoned) = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.waiting = nil }
      return (queue.waiting, queue.isAbandoned)
    }
    waiting?.answer(true)
    if isAbandoned { Task.detached { self.drain() } }
  }

  /// Runs every job that is ready, and those they make ready. Returns how many there were.
  @discardableResult
  package func drain() -> Int {
    var count = 0
    while let job = pop() {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }

  private func pop() -> UnownedJob? {
    queue.withLock { queue in
      queue.hasNews = false
      guard queue.head < queue.jobs.count else {
        queue.jobs.removeAll(keepingCapacity: true)
        queue.head = 0
        return nil
      }
      queue.head += 1
      return queue.jobs[queue.head - 1]
    }
  }

  /// Waits until a job or a message comes in; `false` if none did within the bound.
  ///
  /// The bound is real time, the only one in this module: it limits how long a test waits for the world outside.
  package func arrival(within bound: Duration) async -> Bool {
    let waiter = Waiter()
    let isReady = queue.withLock { queue in
      if queue.head < queue.jobs.count || queue.hasNews { return true }
      queue.waiting = waiter
      return false
    }
    if isReady { return true }
    let limit = Task.detached {
      try await Task.sleep(for: bound)
      // A waiter of its own for each wait: a late limit cannot end a later one.
      waiter.answer(false)
    }
    defer { limit.cancel() }
    return await waiter.wait()
  }

  /// Lets everything that is still suspended somewhere run to its end without the test.
  package func abandon() {
    queue.withLock { $0.isAbandoned = true }
    drain()
  }
}

extension TestExecutor: MailboxOwner {
  /// A message waits: wakes a step that waits for the world outside.
  package func scheduleDrain() {
    let waiting = queue.withLock { queue in
      queue.hasNews = true
      defer { queue.waiting = nil }
      return queue.waiting
    }
    waiting?.answer(true)
  }
}
