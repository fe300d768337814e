// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

// Executing jobs, and stopping in the middle of one.
extension ScheduleExecutor {
  /// The run before one of whose messages its job should have stopped and could not, since the last call.
  func takeMissedStop() -> Token? { inside.value.acting.takeMissed() }

  @usableFromInline
  package func willPost(by token: Token) { _ = willSend(by: token) }

  /// A job is about to send an action.
  @usableFromInline
  func noteSend(of action: Any) {
    // SAFETY: this is the player, or a thread for which it waits.
    if isPlayer { unsafe histories.sent(action) }
  }

  /// A job is about to post a message of this run. Other code may act before it does. Returns whether it stops behind the message
  /// as well: then call ``hasSent(by:)``.
  @usableFromInline
  func willSend(by token: Token) -> Bool {
    guard isPlayer, inside.value.acting.stops else { return false }
    if inside.value.acting.willPost(inside.value.count) {
      stop(of: token)
      // The rest of a job is a job of its own, which posts this message first.
      _ = inside.value.acting.willPost(inside.value.count)
    }
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
      // SAFETY: the task is used only during the call.
      if inside.value.acting.miss(token) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      return
    }
    // SAFETY: this thread is the player until it stops, and again when it goes on alone.
    let job = unsafe histories.stopJob()
    if thread.stop() {
      player.store(Self.thread, ordering: .relaxed)
      unsafe histories.continueJob(job)
    }
  }

  /// Executes a job, or the rest of it. Returns whether its run has suspended and is to be cancelled now.
  func execute(_ job: ReadyJob) -> Bool {
    if job.hasStopped, let thread = inside.value.takeThread(of: job) {
      return execute(job, on: thread) { thread.goOn() }
    }
    let canStop = job.counter?.stops == true && inside.value.acting.stops
    // Any job may wait for what a job holds that has stopped.
    if canStop || hasStoppedJobs, isPlayer, let thread = inside.value.idle.popLast() ?? JobThread() {
      return execute(job, on: thread) {
        thread.begin {
          self.player.store(Self.thread, ordering: .relaxed)
          GlobalJobs.watch(self)
          self.executeHere(job)
          GlobalJobs.watch(nil)
        }
      }
    }
    executeHere(job)
    return job.counter?.jobHasEnded() ?? false
  }

  private func executeHere(_ job: ReadyJob) {
    // SAFETY: this thread is the player, which is checked: a job that was let go is executed at the same time as others.
    if isPlayer {
      unsafe histories.beginJob(job.job)
      noteEndsElsewhere()
    }
    defer {
      if isPlayer {
        unsafe histories.endJob()
        inside.value.made.noteReferences()
      }
    }
    if let counter = job.counter {
      unsafe job.job.runSynchronously(on: counter.asUnownedTaskExecutor())
    } else {
      unsafe job.job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Executes a job on another thread until it is over or stops. For the player, which waits meanwhile.
  private func execute(_ job: ReadyJob, on thread: JobThread, _ begin: () -> Void) -> Bool {
    let own = player.load(ordering: .relaxed)
    inside.value.thread = thread
    begin()
    wait(for: thread)
    player.store(own, ordering: .relaxed)
    inside.value.thread = nil
    guard thread.isOver else {
      inside.value.made.noteReferences()
      inside.value.add(job, on: thread)
      return false
    }
    inside.value.idle.append(thread)
    return job.counter?.jobHasEnded() ?? false
  }

  /// Cancels a task. A cancellation handler of user code may wait for what a job holds that has stopped.
  func cancel(_ task: Task<Void, Never>) {
    guard hasStoppedJobs, isPlayer, let thread = inside.value.idle.popLast() ?? JobThread() else {
      return task.cancel()
    }
    let own = player.load(ordering: .relaxed)
    thread.begin {
      self.player.store(Self.thread, ordering: .relaxed)
      GlobalJobs.watch(self)
      task.cancel()
      GlobalJobs.watch(nil)
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
}
