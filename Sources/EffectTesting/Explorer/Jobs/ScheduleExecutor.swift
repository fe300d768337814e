// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
public import Synchronization

/// Holds the jobs of a schedule until one is chosen, and runs it on the thread of the caller, the player.
///
/// Nearly all jobs come from that thread while it plays, and need no lock. Jobs that come from another thread, or while
/// nothing is played, wait in `outside` until the player checks it.
@usableFromInline
final class ScheduleExecutor: TaskExecutor, ManualExecutor, Sendable {
  /// State that only the player accesses.
  private struct Inside {
    var jobs: [Job] = []
    /// The acting agent. The first job that becomes ready meanwhile continues it.
    var agent = ScheduleAgent.none
    var nextAgent = ScheduleAgent.firstOfJobs
    /// How many jobs have become ready in this schedule.
    var count: Int32 = 0
    /// The runs whose jobs have made other jobs ready on another executor.
    var leavers: [Token?] = []
    /// The job that is being executed.
    var acting = ActingJob()
    /// The thread that executes it, if it can stop.
    var thread: JobThread?
    /// The threads on which jobs have stopped, with the numbers of the jobs.
    var stopped: [(job: Int32, thread: JobThread)] = []
    /// Whether a job could not go on while others had stopped: they held something that it waited for.
    var wasBlocked = false
    /// Threads that have no job.
    var idle: [JobThread] = []
    /// The run behind whose action the job has stopped that is being executed.
    var sender: Token?
    /// The number of the job that was the last one to stop behind an action.
    var lastHeld: Int32 = -1
    /// The run of the first message before or behind which its job should have stopped and could not.
    var missed: Token?
    var missedCount = 0

    mutating func add(_ job: UnownedJob, _ counter: SuspensionCounter?) {
      let agent: Int32
      if self.agent >= 0 {
        agent = self.agent
        self.agent = ScheduleAgent.none
      } else {
        agent = nextAgent
        nextAgent += 1
      }
      jobs.append(Job(job: job, agent: agent, counter: counter, number: count))
      count += 1
    }

    /// The rest of a job that has stopped on its thread is ready.
    mutating func add(_ job: Job, on thread: JobThread) {
      stopped.append((count, thread))
      if sender != nil { lastHeld = count }
      add(job.job, job.counter)
      jobs[jobs.count - 1].hasStopped = true
      jobs[jobs.count - 1].sender = sender
      sender = nil
    }

    /// Takes the thread of such a job.
    mutating func takeThread(of job: Job) -> JobThread? {
      guard job.hasStopped, let index = stopped.firstIndex(where: { $0.job == job.number }) else { return nil }
      return stopped.remove(at: index).thread
    }

    /// Takes a job out. Its agent acts from now on.
    mutating func take(_ index: Int) -> Job {
      let job = jobs.count == 1 ? jobs.removeLast() : jobs.remove(at: index)
      agent = job.agent
      return job
    }
  }

  private struct Outside {
    var jobs: [(job: UnownedJob, counter: SuspensionCounter?)] = []
    /// The thread of the schedule. Work from another thread has been outside.
    var thread: UInt?
    var hasStrangers = false
    var waiting: [Waiter] = []
    /// The schedule is over: jobs that still come back are run at once, elsewhere.
    var isAbandoned = false
    /// Jobs make each other ready without end, even after all runs were cancelled: no job is run any more.
    var isRestless = false
  }

  private struct Job {
    var job: UnownedJob
    var agent: Int32
    /// The executor of its run, if it has one of its own.
    var counter: SuspensionCounter?
    /// Its number in the schedule.
    var number: Int32 = 0
    /// Whether it has begun, and has stopped on a thread of its own.
    var hasStopped = false
    /// The run behind whose action it has stopped; `nil` if it has stopped before one.
    var sender: Token?
  }

  /// What the job has done that is being executed, as far as it decides whether the job stops.
  private struct ActingJob {
    /// Whether the job stops before it posts a message, if others could already react to what it has done before.
    var stops = false
    /// Whether it stops after its first message as well.
    var isPart = false
    /// Whether it has posted a message.
    var hasPosted = false
    /// How many jobs had become ready in the schedule when it began.
    var count: Int32 = 0
    /// Whether it had to stop and could not.
    var hasMissed = false
  }

  // SAFETY: between `startPlaying` and `stopPlaying`, accessed only by the thread that called them; at other times only by
  // the next player. That thread does nothing else meanwhile: all that it enqueues, it enqueues while it plays.
  private let inside = UncheckedCell(Inside())
  private let outside = Lock(Outside())
  /// The thread that plays; 0 while none does, because no thread has the number 0.
  private let player = Atomic<UInt>(0)
  private let hasArrivals = Atomic(false)
  /// A message has come since the mailbox was last checked.
  @usableFromInline let hasMail = Atomic(false)

  deinit {
    for thread in inside.value.idle { thread.end() }
    inside.free()
  }

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

  /// The current thread, as a number that is only compared.
  private static var thread: UInt { Platform.thread }

  /// The next schedule, on the caller's thread.
  func begin() {
    hasMail.store(false, ordering: .relaxed)
    inside.value.agent = ScheduleAgent.none
    inside.value.nextAgent = ScheduleAgent.firstOfJobs
    inside.value.count = 0
    // Notes from the end of the schedule before belong to no schedule.
    if hasLeavers { inside.value.leavers = [] }
    outside.withLock { outside in
      outside.thread = Self.thread
      outside.hasStrangers = false
    }
  }

  /// The caller suspends, and may resume on another thread.
  func pause() {
    outside.withLock { $0.thread = nil }
  }

  func goOn() {
    outside.withLock { $0.thread = Self.thread }
  }

  /// Until ``stopPlaying()`` the caller's thread only executes the schedule.
  func startPlaying() {
    player.store(Self.thread, ordering: .relaxed)
    LeavingJobs.watch(self)
  }

  func stopPlaying() {
    LeavingJobs.watch(nil)
    player.store(0, ordering: .relaxed)
  }

  /// Whether a job came from another thread, so that it had been outside of the schedule.
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
    // SAFETY: a task is its own job; the addresses are only compared.
    let address = unsafe unsafeBitCast(task, to: UInt.self)
    return inside.value.jobs.contains { unsafe unsafeBitCast($0.job, to: UInt.self) == address }
  }

  /// Runs the job of a task whose closure is not called. This is not a choice of the search.
  func runAtOnce(_ task: Task<Void, Never>) {
    letIn()
    // SAFETY: as above.
    let address = unsafe unsafeBitCast(task, to: UInt.self)
    guard let index = inside.value.jobs.firstIndex(where: { unsafe unsafeBitCast($0.job, to: UInt.self) == address })
    else { return }
    let job = inside.value.jobs.remove(at: index)
    _ = execute(job)
  }

  /// A job has handed another job to another executor: its work goes on there.
  func noteLeaver() {
    guard isPlayer else { return }
    inside.value.leavers.append(CurrentRun.identity?.token)
  }

  var hasLeavers: Bool { !inside.value.leavers.isEmpty }

  /// The runs whose jobs have done so since the last call; `nil` for work of no run.
  func takeLeavers() -> [Token?] {
    defer { inside.value.leavers = [] }
    return inside.value.leavers
  }

  /// Takes over the jobs that have come from outside.
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
  ///
  /// - Parameters:
  ///   - options: what else can happen.
  ///   - withParts: whether a part of each job is an option as well. Otherwise its run decides which of the two is one.
  ///   - isHeld: whether a job that has stopped behind an action does not go on here. The flag says whether it is the last one
  ///     that has stopped so.
  /// - Returns: whether some job does not go on here.
  func list(
    into options: inout [ScheduleOption], withParts: Bool, isHeld: (_ isLast: Bool) -> Bool
  ) -> Bool {
    // No agent acts any more.
    inside.value.agent = ScheduleAgent.none
    letIn()
    var hasHeld = false
    for index in inside.value.jobs.indices {
      let job = inside.value.jobs[index]
      if job.sender != nil, isHeld(job.number == inside.value.lastHeld) {
        hasHeld = true
        continue
      }
      let isPart = !withParts && job.counter?.isReached == true
      options.append(
        ScheduleOption(
          step: ScheduleStep(kind: isPart ? .jobPart : .job, index: Int32(index)), agent: job.agent, job: job.number))
      guard withParts else { continue }
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .jobPart, index: Int32(index)), agent: job.agent, job: job.number))
    }
    return hasHeld
  }

  /// A job that has stopped behind an action of a run that is cancelled by now.
  func released(by isCancelled: (Token) -> Bool) -> ScheduleOption? {
    if inside.value.stopped.isEmpty { return nil }
    inside.value.agent = ScheduleAgent.none
    guard let index = inside.value.jobs.firstIndex(where: { $0.sender.map(isCancelled) == true }) else { return nil }
    let job = inside.value.jobs[index]
    return ScheduleOption(
      step: ScheduleStep(kind: job.counter?.isReached == true ? .jobPart : .job, index: Int32(index)), agent: job.agent,
      job: job.number)
  }

  /// How many jobs have become ready in this schedule. For the player.
  var jobCount: Int32 {
    letIn()
    return inside.value.count
  }

  /// Runs one job; with `descends` also all jobs that it makes ready, and so on. Returns `false` if there was no end to
  /// them.
  ///
  /// Without `descends` the job stops where it is about to post a message and others could already react to what it has done: to
  /// a message or a job that it has made ready. A part of a job also stops after its first message from `send`. The rest of it
  /// is then a ready job. Only a job of a run with an executor that `stops` can do that; see ``takeMissedStop()``.
  func run(_ index: Int, descends: Bool, isPart: Bool = false) -> Bool {
    let job = inside.value.take(index)
    let rest = inside.value.jobs.count
    inside.value.acting = ActingJob(
      stops: !descends && !inside.value.wasBlocked, isPart: isPart, count: inside.value.count)
    let hasSuspended = execute(job)
    inside.value.acting.stops = false
    if hasSuspended { return true }
    var left = 10_000
    while descends, let job = pop(behind: rest) {
      if execute(job) { return true }
      left -= 1
      guard left > 0 else { return false }
    }
    return true
  }

  /// The run before one of whose messages its job should have stopped and could not, since the last call.
  func takeMissedStop() -> Token? {
    guard inside.value.acting.hasMissed else { return nil }
    inside.value.acting.hasMissed = false
    inside.value.missedCount = 0
    return inside.value.missed
  }

  @usableFromInline
  package func willPost(by token: Token) { _ = willSend(by: token) }

  /// A job is about to post a message of this run. Other code may act before it does. Returns whether it stops behind the message
  /// as well: then call ``hasSent(by:)``.
  @usableFromInline
  func willSend(by token: Token) -> Bool {
    guard isPlayer, inside.value.acting.stops else { return false }
    if inside.value.acting.hasPosted || inside.value.count != inside.value.acting.count {
      stop(of: token)
    }
    inside.value.acting.hasPosted = true
    return inside.value.acting.isPart
  }

  /// A job has posted an action of this run.
  @usableFromInline
  func hasSent(by token: Token) {
    inside.value.sender = token
    stop(of: token)
  }

  /// Lets others act, if the job can stop.
  private func stop(of token: Token) {
    guard let thread = inside.value.thread else {
      inside.value.sender = nil
      return miss(token)
    }
    if thread.stop() { player.store(Self.thread, ordering: .relaxed) }
  }

  private func miss(_ token: Token) {
    if !inside.value.acting.hasMissed { inside.value.missed = token }
    inside.value.acting.hasMissed = true
    inside.value.missedCount += 1
    // This may go on until it is cancelled. The schedule will be repeated in any case.
    guard inside.value.missedCount == 10_000 else { return }
    // SAFETY: the task is used only during the call.
    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  }

  /// Executes a job, or the rest of it. Returns whether its run has suspended and is to be cancelled now.
  private func execute(_ job: Job) -> Bool {
    if let thread = inside.value.takeThread(of: job) { return execute(job, on: thread) { thread.goOn() } }
    let canStop = job.counter?.stops == true && inside.value.acting.stops
    // Any job may wait for what a job holds that has stopped.
    if isPlayer, canStop || !inside.value.stopped.isEmpty, let thread = inside.value.idle.popLast() ?? JobThread() {
      return execute(job, on: thread) {
        thread.begin {
          self.player.store(Self.thread, ordering: .relaxed)
          LeavingJobs.watch(self)
          self.executeHere(job)
          LeavingJobs.watch(nil)
        }
      }
    }
    executeHere(job)
    return job.counter?.jobHasEnded() ?? false
  }

  private func executeHere(_ job: Job) {
    if let counter = job.counter {
      unsafe job.job.runSynchronously(on: counter.asUnownedTaskExecutor())
    } else {
      unsafe job.job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Executes a job on another thread until it is over or stops. For the player, which waits meanwhile.
  private func execute(_ job: Job, on thread: JobThread, _ begin: () -> Void) -> Bool {
    let own = player.load(ordering: .relaxed)
    inside.value.thread = thread
    begin()
    wait(for: thread)
    player.store(own, ordering: .relaxed)
    inside.value.thread = nil
    guard thread.isOver else {
      inside.value.add(job, on: thread)
      return false
    }
    inside.value.idle.append(thread)
    return job.counter?.jobHasEnded() ?? false
  }

  /// Cancels a task. A cancellation handler of user code may wait for what a job holds that has stopped.
  func cancel(_ task: Task<Void, Never>) {
    guard isPlayer, !inside.value.stopped.isEmpty, let thread = inside.value.idle.popLast() ?? JobThread() else {
      return task.cancel()
    }
    let own = player.load(ordering: .relaxed)
    thread.begin {
      self.player.store(Self.thread, ordering: .relaxed)
      LeavingJobs.watch(self)
      task.cancel()
      LeavingJobs.watch(nil)
    }
    wait(for: thread)
    player.store(own, ordering: .relaxed)
    inside.value.idle.append(thread)
  }

  /// Waits until a thread is back, also if it waits for what a job holds that has stopped.
  private func wait(for thread: JobThread) {
    if inside.value.stopped.isEmpty {
      thread.wait()
    } else if !thread.wait(seconds: 2) {
      letStoppedJobsGo()
      thread.wait()
    }
  }

  /// A job waits for something that a job holds which has stopped, such as a lock. These jobs go on at once, as on several
  /// threads, until they are over. Nothing that they do is for the player.
  private func letStoppedJobsGo() {
    inside.value.wasBlocked = true
    player.store(0, ordering: .relaxed)
    let stopped = inside.value.stopped
    inside.value.stopped = []
    for one in stopped { one.thread.letGo() }
    for one in stopped { one.thread.wait() }
    inside.value.jobs.removeAll { $0.hasStopped }
    inside.value.idle += stopped.map(\.thread)
  }

  /// Whether a job could not go on in this schedule or one before, because another one had stopped. Then no job stops any more.
  var wasBlocked: Bool {
    get { inside.value.wasBlocked }
    set { inside.value.wasBlocked = newValue }
  }

  private func pop(behind rest: Int) -> Job? {
    letIn()
    return inside.value.jobs.count > rest ? inside.value.take(rest) : nil
  }

  /// Runs all jobs that are ready or become ready; `false` if there was no end to them. For the player.
  @discardableResult
  func drain() -> Bool {
    drain {
      // A job that has stopped goes on first, because others may wait for what it holds.
      letIn()
      if let index = inside.value.jobs.firstIndex(where: \.hasStopped) { return inside.value.take(index) }
      return pop(behind: 0)
    }
  }

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

  /// Whether it has given up running its jobs, because there was no end to them.
  var isRestless: Bool { outside.withLock { $0.isRestless } }

  /// Waits until a job comes from outside; `false` if none did in that time.
  ///
  /// The time begins when the global executor has a thread for the alarm. Before that, work outside has no thread
  /// either: on a busy machine a short sleep could otherwise come back after a longer wait for it. For the same reason
  /// the alarm has the priority of the caller, like the runs that it waits for. Threads of another priority may be free
  /// while those of this priority are not.
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
      // If the whole process was stopped meanwhile, a short sleep outside ends at the same time as this one. This lets
      // it come first.
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

  /// The schedule is over: lets all tasks that are still suspended run to their end.
  func abandon() {
    // A job that has stopped goes on first, because it keeps a thread.
    for job in inside.value.jobs where job.hasStopped { _ = execute(job) }
    let left = inside.value.jobs.filter { !$0.hasStopped }
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
      return Job(job: job, agent: ScheduleAgent.none, counter: counter)
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

  /// Whether the mailbox must be checked. Called before the check, so that no message is missed.
  @inlinable
  func takeNoteOfMail() -> Bool {
    hasMail.load(ordering: .relaxed) && hasMail.exchange(false, ordering: .acquiring)
  }

  @inlinable
  func noteMail() {
    hasMail.store(true, ordering: .releasing)
  }
}
