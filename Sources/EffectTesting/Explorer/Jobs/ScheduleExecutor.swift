// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
public import Synchronization

/// Holds the jobs of a schedule until one is chosen, and runs it on the thread of the caller, the player.
///
/// Nearly all jobs come from that thread while it plays, and need no lock. Jobs that come from another thread, or while
/// nothing is played, wait in `outside` until the player checks it.
@usableFromInline
final class ScheduleExecutor: TaskExecutor, ManualExecutor, GlobalJobOwner, Sendable {
  private struct Outside {
    var jobs: [(job: UnownedJob, counter: SuspensionCounter?)] = []
    /// The thread of the schedule. Work from another thread has been outside.
    var thread: UInt?
    var hasStrangers = false
    /// Whether a task came back, in any schedule: it may come back in a later one.
    var hasReturned = false
    var waiting: [Waiter] = []
    /// The schedule is over: jobs that still come back are run at once, elsewhere.
    var isAbandoned = false
    /// Jobs make each other ready without end, even after all runs were cancelled: no job is run any more.
    var isRestless = false
  }

  // SAFETY: between `startPlaying` and `stopPlaying`, accessed only by the thread that called them; at other times only by
  // the next player. That thread does nothing else meanwhile: all that it enqueues, it enqueues while it plays.
  let inside = UncheckedCell(ReadyJobs())
  // SAFETY: as `inside`: only the player uses it.
  nonisolated(unsafe) let histories = RunHistories()
  private let outside = Lock(Outside())
  /// The thread that plays; 0 while none does, because no thread has the number 0.
  let player = Atomic<UInt>(0)
  private let hasArrivals = Atomic(false)
  /// A message has come since the mailbox was last checked.
  @usableFromInline let hasMail = Atomic(false)

  deinit {
    for thread in inside.value.idle { thread.end() }
    inside.free()
  }

  var isPlayer: Bool { player.load(ordering: .relaxed) == Self.thread }

  @usableFromInline
  func enqueue(_ job: consuming ExecutorJob) { enqueue(job, of: nil) }

  func enqueue(_ job: consuming ExecutorJob, of counter: SuspensionCounter?) {
    let job = UnownedJob(job)
    if isPlayer {
      // SAFETY: this is the player.
      unsafe histories.enqueued(job)
      return inside.value.add(job, counter)
    }
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
  static var thread: UInt { Platform.thread }

  /// The next schedule, on the caller's thread.
  func begin() {
    hasMail.store(false, ordering: .relaxed)
    inside.value.nextAgent = ScheduleAgent.firstOfJobs
    inside.value.count = 0
    inside.value.made.noteReferences()
    // Notes from the end of the schedule before belong to no schedule.
    if hasLeavers { inside.value.leavers = [] }
    outside.withLock { outside in
      outside.thread = Self.thread
      outside.hasStrangers = outside.hasReturned
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
    GlobalJobs.watch(self)
  }

  /// Executes code of the schedule that makes its objects.
  func playing(_ body: () -> Void) {
    startPlaying()
    defer { stopPlaying() }
    TaskMark.$current.withValue(inside.value.made.mark) {
      inside.value.made.noteReferences()
      body()
    }
    inside.value.made.noteReferences()
  }

  func stopPlaying() {
    GlobalJobs.watch(nil)
    player.store(0, ordering: .relaxed)
  }

  /// Whether a job came from another thread, or a task has ended elsewhere, so that it had been outside of the schedule.
  var hasStrangers: Bool { outside.withLock { $0.hasStrangers } }

  /// Nothing can happen any more. Tasks that end from now on end elsewhere.
  func rest() { noteEndsElsewhere() }

  func noteEndsElsewhere() {
    if inside.value.made.hasEndedElsewhere() { outside.withLock { ($0.hasStrangers, $0.hasReturned) = (true, true) } }
  }

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

  /// Returns whether the schedule executes the job: not if it belongs to a task that was made before.
  func takeOver(_ job: UnownedJob) -> Bool {
    guard isPlayer else { return false }
    if case .task(let number) = JobIdentity(job), !inside.value.made.contains(number) {
      let token = CurrentRun.identity?.token
      guard inside.value.made.isNew(number) else {
        inside.value.leavers.append(token)
        return false
      }
      inside.value.made.add(job, number, by: maker(token))
      GlobalJobs.keep(number, for: self)
      // SAFETY: this is the player.
      unsafe histories.made(number)
    }
    // SAFETY: this is the player.
    unsafe histories.enqueued(job)
    inside.value.add(job, nil)
    return true
  }

  private func maker(_ token: Token?) -> (any AnyOperation)? {
    inside.value.feature?.live.first { $0.token == token }?.operation
  }

  /// A task of the schedule comes back from another thread. Returns whether there is still a schedule.
  func takeBack(_ job: UnownedJob) -> Bool {
    let waiting: [Waiter]? = outside.withLock { outside in
      if outside.isAbandoned { return nil }
      (outside.hasStrangers, outside.hasReturned) = (true, true)
      outside.jobs.append((job, nil))
      hasArrivals.store(true, ordering: .relaxed)
      defer { outside.waiting = [] }
      return outside.waiting
    }
    for waiter in waiting ?? [] { waiter.answer(true) }
    return waiting != nil
  }

  /// Whether the schedule has made tasks besides its runs.
  var hasMadeTasks: Bool { !inside.value.made.isEmpty }

  /// Tasks that the schedule has made and that may not have ended. For the player, between two jobs.
  func leftTasks(hasRuns: Bool) -> [String] { inside.value.made.left(hasRuns: hasRuns, hasStore: true) }

  /// The runs of the schedule have ended, or those that are left never will. Ends the tasks that it has made. Returns those that had not
  /// ended.
  func endTasks(hasRuns: Bool) -> [String] {
    if inside.value.made.isEmpty {
      inside.value.made.end()
      return []
    }
    let left = inside.value.made.left(hasRuns: hasRuns, hasStore: false)
    inside.value.made.cancelAll()
    drain()
    GlobalJobs.forget(inside.value.made.numbers)
    inside.value.made.end()
    return left
  }

  /// Calls code of the schedule: the tasks that it makes can be counted.
  @usableFromInline
  nonisolated(nonsending) func marking(_ body: nonisolated(nonsending) () async -> Void) async {
    await TaskMark.$current.withValue(inside.value.made.mark) {
      if isPlayer { inside.value.made.noteReferences() }
      await body()
    }
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
  func list(into options: inout [ScheduleOption], withParts: Bool) {
    // No agent acts any more.
    inside.value.agent = ScheduleAgent.none
    letIn()
    inside.value.list(into: &options, withParts: withParts)
  }

  /// A job that is ready. For the player.
  func job(at index: Int32) -> UnownedJob { inside.value.jobs[Int(index)].job }

  /// The jobs that are ready. For the player.
  var readyJobs: [UnownedJob] {
    letIn()
    return inside.value.jobs.map(\.job)
  }

  /// Whether some job has stopped. For the player.
  var hasStoppedJobs: Bool { !inside.value.stopped.isEmpty }

  /// How many jobs have become ready in this schedule. For the player.
  var jobCount: Int32 {
    letIn()
    return inside.value.count
  }

  /// Runs one job; with `joinsJobs` also all jobs that it makes ready, and so on. Returns `false` if there was no end to
  /// them.
  ///
  /// Without `joinsJobs` the job stops where it is about to post a message and others could already react to what it has done: to
  /// a message or a job that it has made ready. A part of a job also stops after its first message from `send`. The rest of it
  /// is then a ready job. Only a job of a run with an executor that `stops` can do that; see ``takeMissedStop()``.
  func run(_ index: Int, joinsJobs: Bool, isPart: Bool = false) -> Bool {
    let job = inside.value.take(index)
    let rest = inside.value.jobs.count
    inside.value.acting = ActingJob(
      stops: !joinsJobs && !inside.value.wasBlocked, isPart: isPart, hasPosted: job.sender != nil,
      count: inside.value.count)
    let hasSuspended = execute(job)
    inside.value.acting.end()
    if hasSuspended { return true }
    var left = 10_000
    while joinsJobs, let job = pop(behind: rest) {
      if execute(job) { return true }
      left -= 1
      guard left > 0 else { return false }
    }
    return true
  }

  private func pop(behind rest: Int) -> ReadyJob? {
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

  private func drain(_ next: () -> ReadyJob?) -> Bool {
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
      return ReadyJob(job: job, agent: ScheduleAgent.none, counter: counter)
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
