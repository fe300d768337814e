// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
public import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Holds the jobs of a schedule until one is chosen, and runs it on the thread of whoever chose it.
@usableFromInline
final class ScheduleExecutor: TaskExecutor, Sendable {
  private struct Queue {
    var jobs: [Job] = []
    /// Who is acting; the first job that becomes ready meanwhile is what it goes on with.
    var agent = ScheduleAgent.nobody
    var nextAgent = ScheduleAgent.firstOfJobs
    /// The thread that plays the schedule. What comes from another has been elsewhere.
    var thread: UInt?
    var hasStrangers = false
    var waiting: [Waiter] = []
    /// The schedule is over: what still comes back is run at once, elsewhere.
    var isAbandoned = false
    /// Jobs make each other ready without end, also where everybody has been cancelled: nothing is run any more.
    var isRestless = false
  }

  private struct Job {
    var job: UnownedJob
    var agent: Int32
    /// The executor of its run, if it has one of its own.
    var counter: SuspensionCounter?
  }

  private let queue = Lock(Queue())
  /// A message has come since the mailbox was looked into.
  @usableFromInline let hasMail = Atomic(false)

  @usableFromInline
  func enqueue(_ job: consuming ExecutorJob) { enqueue(job, of: nil) }

  func enqueue(_ job: consuming ExecutorJob, of counter: SuspensionCounter?) {
    let job = UnownedJob(job)
    let (waiting, isAbandoned) = queue.withLock { queue in
      var agent = queue.nextAgent
      if queue.agent >= 0 {
        agent = queue.agent
        queue.agent = ScheduleAgent.nobody
      } else {
        queue.nextAgent += 1
      }
      if queue.thread != Self.thread { queue.hasStrangers = true }
      queue.jobs.append(Job(job: job, agent: agent, counter: counter))
      if queue.waiting.isEmpty { return ([Waiter](), queue.isAbandoned && !queue.isRestless) }
      defer { queue.waiting = [] }
      return (queue.waiting, queue.isAbandoned && !queue.isRestless)
    }
    for waiter in waiting { waiter.answer(true) }
    if isAbandoned { Task.detached { self.drain() } }
  }

  /// Which thread this is; compared and nothing else.
  private static var thread: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// From here on the caller's thread plays a schedule.
  func begin() {
    hasMail.store(false, ordering: .relaxed)
    queue.withLock { queue in
      queue.thread = Self.thread
      queue.nextAgent = ScheduleAgent.firstOfJobs
      queue.agent = ScheduleAgent.nobody
      queue.hasStrangers = false
    }
  }

  /// The thread goes away, perhaps to come back as another.
  func pause() {
    queue.withLock { $0.thread = nil }
  }

  func goOn() {
    queue.withLock { $0.thread = Self.thread }
  }

  /// Whether a job came from another thread: it had been outside of the schedule.
  var hasStrangers: Bool { queue.withLock { $0.hasStrangers } }

  @usableFromInline var readyCount: Int { queue.withLock { $0.jobs.count } }

  /// Adds the jobs that are ready, the oldest first.
  func list(into options: inout [ScheduleOption]) {
    queue.withLock { queue in
      // Nobody acts any more.
      queue.agent = ScheduleAgent.nobody
      for index in queue.jobs.indices {
        options.append(
          ScheduleOption(step: ScheduleStep(kind: .job, index: Int32(index)), agent: queue.jobs[index].agent))
      }
    }
  }

  /// Runs one job; with `descends` also all that it makes ready, and these, in turn. `false` if there was no end to it.
  func run(_ index: Int, descends: Bool) -> Bool {
    let (job, rest) = queue.withLock { queue in
      let next = queue.jobs.count == 1 ? queue.jobs.removeLast() : queue.jobs.remove(at: index)
      queue.agent = next.agent
      return (next, queue.jobs.count)
    }
    if execute(job) { return true }
    var left = 10_000
    while descends, let job = pop(behind: rest) {
      if execute(job) { return true }
      left -= 1
      guard left > 0 else { return false }
    }
    return true
  }

  /// Whether whoever it belongs to has suspended and is to be cancelled now.
  private func execute(_ job: Job) -> Bool {
    guard let counter = job.counter else {
      unsafe job.job.runSynchronously(on: asUnownedTaskExecutor())
      return false
    }
    unsafe job.job.runSynchronously(on: counter.asUnownedTaskExecutor())
    return counter.jobHasEnded()
  }

  private func pop(behind rest: Int) -> Job? {
    queue.withLock { queue in
      guard queue.jobs.count > rest else { return nil }
      let next = queue.jobs.remove(at: rest)
      queue.agent = next.agent
      return next
    }
  }

  /// Runs all that is ready and becomes ready; `false` if there was no end to it.
  @discardableResult
  func drain() -> Bool {
    var left = 10_000
    while let job = pop(behind: 0) {
      _ = execute(job)
      left -= 1
      guard left > 0 else {
        queue.withLock { $0.isRestless = true }
        return false
      }
    }
    return true
  }

  /// Waits until a job comes from outside; `false` if none did by the limit.
  func arrival(before limit: ContinuousClock.Instant) async -> Bool {
    let waiter = Waiter()
    let isReady = queue.withLock { queue in
      let isReady = !queue.jobs.isEmpty || hasMail.load(ordering: .acquiring)
      if !isReady { queue.waiting.append(waiter) }
      return isReady
    }
    if isReady { return true }
    let alarm = Task.detached {
      try await Task.sleep(until: limit, clock: .continuous)
      waiter.answer(false)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
  }

  /// Lets everything that is still suspended somewhere run to its end without a schedule.
  func abandon() {
    queue.withLock { $0.isAbandoned = true }
    if !isRestless { drain() }
  }

  /// Whether it has given up to run its jobs to their end.
  var isRestless: Bool { queue.withLock { $0.isRestless } }
}

extension ScheduleExecutor: MailboxOwner {
  /// A message waits in a mailbox that was found empty.
  @usableFromInline
  package func scheduleDrain() {
    hasMail.store(true, ordering: .releasing)
    let waiting = queue.withLock { queue in
      if queue.thread != Self.thread { queue.hasStrangers = true }
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for waiter in waiting { waiter.answer(true) }
  }

  /// Whether the mailbox must be looked into; asked before that is done, so that no message is missed.
  @inlinable
  func takeNoteOfMail() -> Bool {
    hasMail.load(ordering: .relaxed) && hasMail.exchange(false, ordering: .acquiring)
  }

  @inlinable
  func noteMail() {
    hasMail.store(true, ordering: .releasing)
  }
}
