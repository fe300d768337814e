// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// Runs the jobs of a test one after another, when it is called, on the thread of the caller.
///
/// Runs stay on it by executor preference: their own code, default actors they call, child tasks, continuations that
/// are resumed elsewhere. What leaves (the main actor, detached tasks, real I/O) comes back by `enqueue`, which wakes a
/// waiting step. So a step never polls: either a job is ready, or something outside must happen first.
@usableFromInline
package final class TestExecutor: TaskExecutor, ManualExecutor, Sendable {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var head = 0
    /// A message has come from outside, such as an action of a detached task. It is no job.
    var hasNews = false
    /// Steps that wait. More than one only if several tasks of one actor use one store.
    var waiting: [Waiter] = []
    /// The test is over: jobs that still come back are run at once, elsewhere, so that no task stays suspended for
    /// ever.
    var isAbandoned = false
    /// Jobs have made further jobs without end. From now on a drain runs only a few of them, so that the test can go
    /// on.
    var isRestless = false

    var isReady: Bool { head < jobs.count || hasNews }
  }

  private let queue = Lock(Queue())
  /// A message has come since the mailbox was last checked. Set after the message is in the mailbox.
  // Not in the queue, because each step reads it several times; and so is the next one.
  private let hasMail = Atomic(false)
  /// The same as `isRestless` in the queue, which decides.
  private let hasBecomeRestless = Atomic(false)
  /// How many jobs one drain may run before they count as an endless loop. Each ready job adds sixteen.
  private let jobLimit: Int
  /// An object that is released together with this executor. Its `deinit` is the only way to observe that.
  private let companion: (any AnyObject & Sendable)?

  @usableFromInline
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

  /// Runs all ready jobs, and those that they make ready. Returns `false` the first time that there is no end to them.
  @usableFromInline
  @discardableResult
  package func drain() -> Bool {
    // Nearly always there is one job or none.
    guard var (job, left) = popFirst() else { return true }
    while true {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      left -= 1
      if left == 0 { return !becomeRestless() }
      guard let next = queue.withLock({ pop(&$0) }) else { return true }
      job = next
    }
  }

  /// The first job of a drain, and how many jobs the drain may run.
  private func popFirst() -> (UnownedJob, Int)? {
    queue.withLock { queue in
      // A step may start a hundred thousand runs. Each of them needs a few jobs until it waits.
      let limit = queue.isRestless ? min(1_000, jobLimit) : jobLimit + 16 * (queue.jobs.count - queue.head)
      return pop(&queue).map { ($0, limit) }
    }
  }

  /// How many messages one step may take before they count as endless.
  @usableFromInline
  var messageLimit: Int { 2 * jobLimit }

  /// From now on a drain runs few jobs. Returns `true` the first time.
  @usableFromInline
  func becomeRestless() -> Bool {
    hasBecomeRestless.store(true, ordering: .relaxed)
    return queue.withLock { queue in
      defer { queue.isRestless = true }
      return !queue.isRestless
    }
  }

  /// Whether there once was no end to the jobs.
  @usableFromInline
  package var isRestless: Bool { hasBecomeRestless.load(ordering: .relaxed) }

  private func pop(_ queue: inout Queue) -> UnownedJob? {
    queue.hasNews = false
    guard queue.head < queue.jobs.count else {
      queue.jobs.removeAll(keepingCapacity: true)
      queue.head = 0
      return nil
    }
    queue.head += 1
    return queue.jobs[queue.head - 1]
  }

  /// Whether the mailbox must be checked. Called before the check, so that no message is missed.
  @usableFromInline
  func takeNoteOfMail() -> Bool {
    // The exchange comes before the check of the mailbox, so a message that comes later sets it again.
    hasMail.load(ordering: .relaxed) && hasMail.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Waits until a job or a message comes in; `false` if none did by the limit.
  ///
  /// The limit is in real time: it bounds how long a test waits for the outside world.
  /// A cancel of the waiting test ends the wait too.
  package func arrival(before limit: ContinuousClock.Instant) async -> Bool {
    let waiter = Waiter()
    let (isReady, isRestless) = queue.withLock { queue in
      if !queue.isReady { queue.waiting.append(waiter) }
      return (queue.isReady, queue.isRestless)
    }
    // A run that never waits has a ready job at any time. Such jobs must not extend the wait beyond the limit.
    if isReady { return !isRestless || ContinuousClock.now < limit }
    let alarm = Task.detached {
      try await Task.sleep(until: limit, clock: .continuous)
      // Each wait has a waiter of its own, so a late alarm cannot end a later wait.
      waiter.answer(false)
    }
    defer { alarm.cancel() }
    let hasArrived = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
    // Something may have come at the same time as the alarm. That counts as an arrival.
    return hasArrived || queue.withLock { $0.isReady }
  }

  /// The test is over: lets all tasks that are still suspended run to their end without it.
  package func abandon() {
    queue.withLock { $0.isAbandoned = true }
    drain()
  }
}

extension TestExecutor: MailboxOwner {
  /// A message waits: wakes a step that waits for the outside world.
  package func scheduleDrain() {
    hasMail.store(true, ordering: .releasing)
    let waiting = queue.withLock { queue in
      queue.hasNews = true
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for waiter in waiting { waiter.answer(true) }
  }
}
