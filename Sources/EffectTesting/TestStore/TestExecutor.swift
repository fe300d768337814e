// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Runs the jobs of a test one after another, when told to, on the thread of whoever tells it.
///
/// Runs stay on it by preference: their own code, default actors they call, child tasks, continuations that are resumed
/// elsewhere. What leaves (the main actor, detached tasks, real I/O) comes back by `enqueue`, which wakes a waiting
/// step. So a step never polls: either a job is ready, or somebody outside must act first.
@usableFromInline
package final class TestExecutor: TaskExecutor, ManualExecutor, Sendable {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var head = 0
    /// Something came in from outside that is no job: an action of a detached task.
    var hasNews = false
    /// A message has come since the mailbox was looked into.
    var hasMail = false
    /// Steps that wait. More than one only if several tasks of one actor use one store.
    var waiting: [Waiter] = []
    /// The test is over: what still comes back is run at once, elsewhere, so that nothing stays suspended for good.
    var isAbandoned = false
    /// Jobs made further jobs without end; they get little from now on, so that the test comes to its own.
    var isRestless = false

    var isReady: Bool { head < jobs.count || hasNews }
  }

  private let queue = Lock(Queue())
  /// How many jobs one drain may run, and sixteen more for each that is ready, before they are taken for a loop without
  /// end.
  private let jobLimit: Int
  /// Goes when this goes, which nothing else announces.
  private let companion: (any AnyObject & Sendable)?

  package init(jobLimit: Int = 100_000, companion: (any AnyObject & Sendable)? = nil) {
    self.jobLimit = jobLimit
    self.companion = companion
  }

  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (waiting, mustDrain) = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.waiting = [] }
      return (queue.waiting, queue.isAbandoned && !queue.isRestless)
    }
    for waiter in waiting { waiter.answer(true) }
    if mustDrain { Task.detached { self.drain() } }
  }

  /// Runs every job that is ready, and those they make ready; `false` if there was no end to them, the first time.
  @usableFromInline
  @discardableResult
  package func drain() -> Bool {
    var left = queue.withLock { queue in
      // A step may start a hundred thousand runs, each of which comes to a rest after a few jobs.
      queue.isRestless ? min(1_000, jobLimit) : jobLimit + 16 * (queue.jobs.count - queue.head)
    }
    while let job = pop() {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      left -= 1
      guard left == 0 else { continue }
      return !becomeRestless()
    }
    return true
  }

  /// How many messages one step may take before they are taken for endless ones.
  @usableFromInline
  var messageLimit: Int { 2 * jobLimit }

  /// From now on jobs get little; `true` the first time.
  @usableFromInline
  func becomeRestless() -> Bool {
    queue.withLock { queue in
      defer { queue.isRestless = true }
      return !queue.isRestless
    }
  }

  /// Whether there once was no end to the jobs.
  @usableFromInline
  package var isRestless: Bool { queue.withLock { $0.isRestless } }

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

  /// Whether the mailbox must be looked into; asked before that is done, so that no message is missed.
  @usableFromInline
  func takeNoteOfMail() -> Bool {
    queue.withLock { queue in
      defer { queue.hasMail = false }
      return queue.hasMail
    }
  }

  /// Waits until a job or a message comes in; `false` if none did by the limit.
  ///
  /// The limit is real time, the only one in this module: it bounds how long a test waits for the outside world.
  /// A cancel of the waiting test ends the wait too.
  package func arrival(before limit: ContinuousClock.Instant) async -> Bool {
    let waiter = Waiter()
    let (isReady, isRestless) = queue.withLock { queue in
      if !queue.isReady { queue.waiting.append(waiter) }
      return (queue.isReady, queue.isRestless)
    }
    // A run that never rests has a job ready at any time; that is no arrival to wait for without a limit.
    if isReady { return !isRestless || ContinuousClock.now < limit }
    let alarm = Task.detached {
      try await Task.sleep(until: limit, clock: .continuous)
      // A waiter of its own for each wait: a late alarm cannot end a later one.
      waiter.answer(false)
    }
    defer { alarm.cancel() }
    let hasArrived = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
    // What came together with the alarm has come.
    return hasArrived || queue.withLock { $0.isReady }
  }

  /// Lets everything that is still suspended somewhere run to its end without the test.
  package func abandon() {
    queue.withLock { $0.isAbandoned = true }
    drain()
  }
}

extension TestExecutor: MailboxOwner {
  /// A message waits: wakes a step that waits for the outside world.
  package func scheduleDrain() {
    let waiting = queue.withLock { queue in
      queue.hasNews = true
      queue.hasMail = true
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for waiter in waiting { waiter.answer(true) }
  }
}
