// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// Runs the jobs of a test one after another, when it is called, on the thread of the caller.
///
/// The tasks of runs prefer this executor. So it executes their own code, default actors that they call, child tasks, and
/// continuations that are resumed elsewhere. A task that has left it (for the main actor, real I/O) comes back by `enqueue`, which
/// wakes a step that waits. So a step never polls: either a job is ready, or something outside must happen first.
///
/// It also executes the tasks that this code makes, each `Task {}` and detached ones, where a step has made them ready; see
/// ``GlobalJobs``. What something else makes ready, also an answer of a mock, is executed elsewhere: a test may wait for it without a
/// step.
@usableFromInline
package final class TestExecutor: TaskExecutor, ManualExecutor, GlobalJobReceiver, Sendable {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var head = 0
    /// A message has come, such as an action of a detached task. A message makes no job.
    var hasNews = false
    /// Steps that wait. More than one only if several tasks of one actor use one store.
    var waiting: [Waiter] = []
    /// The test is over. Each job that still comes is executed at once in a detached task, so that no task stays
    /// suspended for ever.
    var isAbandoned = false
    /// Jobs have made further jobs without end. From now on a drain runs only a few of them, so that the test can go
    /// on.
    var isRestless = false
    /// The numbers of the tasks that the code of the test's runs has made.
    var made: Set<UInt64> = []
    /// Tasks with a number up to this one were made before the jobs that are being executed, for example by the test itself.
    var earlier: UInt64 = 0
    /// How many jobs had been left to the global executor when `earlier` was read. While it is the same, no such task was made.
    var passedCount = -1

    var isReady: Bool { head < jobs.count || hasNews }
  }

  private let queue = Lock(Queue())
  /// A message has come since the mailbox was last checked. Set after the message is in the mailbox.
  // Outside of the queue and its lock, because each step reads it several times. The same applies to the next property.
  private let hasMail = Atomic(false)
  /// The same as `isRestless` in the queue, which decides.
  private let hasBecomeRestless = Atomic(false)
  /// How many jobs one drain may run before they count as an endless loop. Each ready job adds sixteen.
  private let jobLimit: Int
  /// An object that is released together with this executor. Its `deinit` is the only way to observe that.
  private let companion: (any AnyObject & Sendable)?

  /// Makes an executor without jobs.
  ///
  /// - Parameters:
  ///   - jobLimit: how many jobs one drain may run before they count as an endless loop.
  ///   - companion: an object that is released together with this executor.
  @usableFromInline
  package init(jobLimit: Int = 1_000_000, companion: (any AnyObject & Sendable)? = nil) {
    self.jobLimit = jobLimit
    self.companion = companion
  }

  /// Adds a job, and wakes the steps that wait. Called by the concurrency runtime on any thread.
  ///
  /// - Parameter job: the job. The next drain executes it; after ``abandon()``, a detached task does.
  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    add(UnownedJob(job))
  }

  private func add(_ job: UnownedJob) {
    let (waiting, mustDrain) = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.waiting = [] }
      return (queue.waiting, queue.isAbandoned && !queue.isRestless)
    }
    for waiter in waiting { waiter.answer(true) }
    if mustDrain { Task.detached { self.drain() } }
  }

  /// Runs all ready jobs, and those that they make ready.
  ///
  /// - Returns: `false` if the limit of jobs was reached for the first time. From then on the limit is lower, and the
  ///   result is `true`.
  @usableFromInline
  @discardableResult
  package func drain() -> Bool {
    // Nearly always there is one job or none.
    guard let (job, limit) = popFirst() else { return true }
    return watching { execute(job, limit: limit) }
  }

  private func execute(_ first: UnownedJob, limit: Int) -> Bool {
    var (job, left) = (first, limit)
    while true {
      // SAFETY: `enqueue` was given the job to run it once, and `pop` returns each job once, under the lock.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      left -= 1
      if left == 0 { return !becomeRestless() }
      guard let next = queue.withLock({ pop(&$0) }) else { return true }
      job = next
    }
  }

  /// Executes the tasks that the closure makes, if it is code of the test's runs.
  func watching<Result>(_ body: () -> Result) -> Result {
    let passedCount = GlobalJobs.passedCount
    let (isOver, mayBeOld) = queue.withLock { ($0.isAbandoned, $0.passedCount != passedCount) }
    if mayBeOld, !isOver {
      let earlier = JobIdentity.nextBoundary()
      queue.withLock { ($0.passedCount, $0.earlier) = (passedCount, earlier) }
    }
    return isOver ? body() : GlobalJobs.watching(self, body)
  }

  /// Returns whether the job belongs to no task that others have made, such as the test itself.
  func takeOver(_ job: UnownedJob) -> Bool {
    if case .task(let number) = JobIdentity(job) {
      let isOwn = queue.withLock { queue in
        if number > queue.earlier { queue.made.insert(number) }
        return queue.made.contains(number)
      }
      guard isOwn else { return false }
    }
    add(job)
    return true
  }

  /// The first job of a drain, and how many jobs the drain may run.
  private func popFirst() -> (UnownedJob, Int)? {
    queue.withLock { queue in
      // A step may start a hundred thousand runs. Each of them needs a few jobs until it waits.
      let limit = queue.isRestless ? min(1_000, jobLimit) : jobLimit + 16 * (queue.jobs.count - queue.head)
      return pop(&queue).map { ($0, limit) }
    }
  }

  /// How many actions a turn may have, and how many a test may receive at one instant of its clock without expecting them,
  /// before a step stops them.
  @usableFromInline
  var actionLimit: Int { min(jobLimit, TestLimits.actions) }

  /// How many messages one step may take before they count as endless.
  @usableFromInline
  var messageLimit: Int { min(2 * jobLimit, TestLimits.actions) }

  /// From now on a drain runs few jobs. Returns `true` the first time.
  @usableFromInline
  func becomeRestless() -> Bool {
    hasBecomeRestless.store(true, ordering: .relaxed)
    return queue.withLock { queue in
      defer { queue.isRestless = true }
      return !queue.isRestless
    }
  }

  /// Whether jobs or messages have once reached their limit.
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

  /// Waits until a job or a message comes.
  ///
  /// - Parameter limit: when the wait ends at the latest, in real time.
  /// - Returns: `true` if a job or a message has come; `false` at the limit.
  /// - Cancellation: if the calling task is cancelled, the wait ends as at the limit.
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

  /// Lets the tasks that are still suspended end after the test.
  ///
  /// Runs the ready jobs. From then on each job that comes is executed at once in a detached task, unless a limit of jobs
  /// was reached before.
  package func abandon() {
    queue.withLock { $0.isAbandoned = true }
    drain()
  }
}

extension TestExecutor: MailboxOwner {
  /// Notes that a message is in the mailbox, and wakes the steps that wait. Callable from any thread.
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
