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
///
/// Nearly all that happens comes from that thread, inside of what is being played, and needs no lock. What comes from
/// another one, or while nothing is played, waits outside until the player looks.
@usableFromInline
final class ScheduleExecutor: TaskExecutor, ManualExecutor, Sendable {
  /// What is the player's alone.
  private struct Inside {
    var jobs: [Job] = []
    /// Who is acting; the first job that becomes ready meanwhile is what it goes on with.
    var agent = ScheduleAgent.nobody
    var nextAgent = ScheduleAgent.firstOfJobs
    /// The runs whose jobs have made others ready elsewhere.
    var leavers: [Token?] = []

    mutating func add(_ job: UnownedJob, _ counter: SuspensionCounter?) {
      let agent: Int32
      if self.agent >= 0 {
        agent = self.agent
        self.agent = ScheduleAgent.nobody
      } else {
        agent = nextAgent
        nextAgent += 1
      }
      jobs.append(Job(job: job, agent: agent, counter: counter))
    }

    /// Takes a job out, whose agent acts from now on.
    mutating func take(_ index: Int) -> Job {
      let job = jobs.count == 1 ? jobs.removeLast() : jobs.remove(at: index)
      agent = job.agent
      return job
    }
  }

  private struct Outside {
    var jobs: [(job: UnownedJob, counter: SuspensionCounter?)] = []
    /// The thread that the schedule is on. What comes from another has been elsewhere.
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

  // SAFETY: touched between `startPlaying` and `stopPlaying`, by the thread that called them, and when nothing is played
  // by whoever plays next. That thread does nothing else meanwhile: whatever it enqueues, it does from within.
  private let inside = UncheckedCell(Inside())
  private let outside = Lock(Outside())
  /// The thread that plays, while it does; no thread has the number 0.
  private let player = Atomic<UInt>(0)
  private let hasArrivals = Atomic(false)
  /// A message has come since the mailbox was looked into.
  @usableFromInline let hasMail = Atomic(false)

  deinit { inside.free() }

  private var isPlayer: Bool { player.load(ordering: .relaxed) == Self.thread }

  @usableFromInline
  func enqueue(_ job: consuming ExecutorJob) { enqueue(job, of: nil) }

  func enqueue(_ job: consuming ExecutorJob, of counter: SuspensionCounter?) {
    let job = UnownedJob(job)
    if isPlayer { return inside.value.add(job, counter) }
    let (waiting, isAbandoned) = outside.withLock { outside in
      if outside.thread != Self.thread { outside.hasStrangers = true }
      outside.jobs.append((job, counter))
      hasArrivals.store(true, ordering: .relaxed)
      defer { outside.waiting = [] }
      return (outside.waiting, outside.isAbandoned && !outside.isRestless)
    }
    for waiter in waiting { waiter.answer(true) }
    if isAbandoned { Task.detached { self.drainOutside() } }
  }

  /// Which thread this is; compared and nothing else.
  private static var thread: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// The next schedule, on the caller's thread.
  func begin() {
    hasMail.store(false, ordering: .relaxed)
    inside.value.agent = ScheduleAgent.nobody
    inside.value.nextAgent = ScheduleAgent.firstOfJobs
    // What was made when the schedule before was ended belongs to none.
    if hasLeavers { inside.value.leavers = [] }
    outside.withLock { outside in
      outside.thread = Self.thread
      outside.hasStrangers = false
    }
  }

  /// The thread goes away, perhaps to come back as another.
  func pause() {
    outside.withLock { $0.thread = nil }
  }

  func goOn() {
    outside.withLock { $0.thread = Self.thread }
  }

  /// Until ``stopPlaying()`` the caller's thread does nothing but what the schedule says.
  func startPlaying() {
    player.store(Self.thread, ordering: .relaxed)
    LeavingJobs.watch(self)
  }

  func stopPlaying() {
    LeavingJobs.watch(nil)
    player.store(0, ordering: .relaxed)
  }

  /// Whether a job came from another thread: it had been outside of the schedule.
  var hasStrangers: Bool { outside.withLock { $0.hasStrangers } }

  /// For the player.
  @usableFromInline
  var readyCount: Int {
    letIn()
    return inside.value.jobs.count
  }

  /// Whether a task is ready itself, and not only a child of it. For the player.
  func isReady(_ task: Task<Void, Never>) -> Bool {
    letIn()
    // SAFETY: a task is its own job; the addresses are compared and nothing else.
    let address = unsafe unsafeBitCast(task, to: UInt.self)
    return inside.value.jobs.contains { unsafe unsafeBitCast($0.job, to: UInt.self) == address }
  }

  /// Runs the job of a task whose closure is not called: nothing that anybody chose.
  func runAtOnce(_ task: Task<Void, Never>) {
    letIn()
    // SAFETY: as above.
    let address = unsafe unsafeBitCast(task, to: UInt.self)
    guard let index = inside.value.jobs.firstIndex(where: { unsafe unsafeBitCast($0.job, to: UInt.self) == address })
    else { return }
    let job = inside.value.jobs.remove(at: index)
    _ = execute(job)
  }

  /// A job has handed another one to an executor that is not this one: its work goes on elsewhere.
  func noteLeaver() {
    inside.value.leavers.append(CurrentRun.identity?.token)
  }

  var hasLeavers: Bool { !inside.value.leavers.isEmpty }

  /// The runs whose jobs have done so since the last call; `nil` for work of none.
  func takeLeavers() -> [Token?] {
    defer { inside.value.leavers = [] }
    return inside.value.leavers
  }

  /// Takes over what has come from outside.
  private func letIn() {
    guard hasArrivals.load(ordering: .relaxed) else { return }
    let arrivals = outside.withLock { outside in
      hasArrivals.store(false, ordering: .relaxed)
      defer { outside.jobs = [] }
      return outside.jobs
    }
    for arrival in arrivals { inside.value.add(arrival.job, arrival.counter) }
  }

  /// Adds the jobs that are ready, the oldest first.
  func list(into options: inout [ScheduleOption]) {
    // Nobody acts any more.
    inside.value.agent = ScheduleAgent.nobody
    letIn()
    for index in inside.value.jobs.indices {
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .job, index: Int32(index)), agent: inside.value.jobs[index].agent))
    }
  }

  /// Runs one job; with `descends` also all that it makes ready, and these, in turn. `false` if there was no end to it.
  func run(_ index: Int, descends: Bool) -> Bool {
    let job = inside.value.take(index)
    let rest = inside.value.jobs.count
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
    letIn()
    return inside.value.jobs.count > rest ? inside.value.take(rest) : nil
  }

  /// Runs all that is ready and becomes ready; `false` if there was no end to it. For the player.
  @discardableResult
  func drain() -> Bool { drain { pop(behind: 0) } }

  private func drain(_ next: () -> Job?) -> Bool {
    var left = 10_000
    while let job = next() {
      _ = execute(job)
      left -= 1
      guard left > 0 else {
        outside.withLock { $0.isRestless = true }
        return false
      }
    }
    return true
  }

  /// Whether it has given up to run its jobs to their end.
  var isRestless: Bool { outside.withLock { $0.isRestless } }

  /// Waits until a job comes from outside; `false` if none did in that time.
  ///
  /// The time begins when the global executor has a thread for it. Before that, what is outside has none either: on a busy machine
  /// a short sleep could otherwise come back after a longer wait for it. For the same reason the wait has the priority of the
  /// caller, as the runs do that it waits for: threads of another priority may be free while theirs are not.
  func arrival(within limit: Duration) async -> Bool {
    let waiter = Waiter()
    let isReady = outside.withLock { outside in
      let isReady = !outside.jobs.isEmpty || hasMail.load(ordering: .acquiring)
      if !isReady { outside.waiting.append(waiter) }
      return isReady
    }
    if isReady { return true }
    let alarm = Task.detached(priority: Task.currentPriority) {
      try await Task.sleep(for: limit)
      // Where the whole process stood still meanwhile, a short sleep outside ends only now, beside this one. It comes first.
      try await Task.sleep(for: limit / 20)
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
    let left = inside.value.jobs
    inside.value.jobs = []
    outside.withLock { outside in
      outside.isAbandoned = true
      outside.jobs.insert(contentsOf: left.map { ($0.job, $0.counter) }, at: 0)
    }
    drainOutside()
  }

  private func drainOutside() {
    guard !isRestless else { return }
    _ = drain {
      guard let (job, counter) = outside.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { return nil }
      return Job(job: job, agent: ScheduleAgent.nobody, counter: counter)
    }
  }
}

extension ScheduleExecutor: MailboxOwner {
  /// A message waits in a mailbox that was found empty.
  @usableFromInline
  package func scheduleDrain() {
    hasMail.store(true, ordering: .releasing)
    if isPlayer { return }
    let waiting = outside.withLock { outside in
      if outside.thread != Self.thread { outside.hasStrangers = true }
      defer { outside.waiting = [] }
      return outside.waiting
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
