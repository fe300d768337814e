// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The jobs of a schedule that are ready, and the one that is being executed. Only the player uses it.
struct ReadyJobs {
  var jobs: [ReadyJob] = []
  /// The acting agent. The first job that becomes ready meanwhile continues it.
  var agent = ScheduleAgent.none
  var nextAgent = ScheduleAgent.firstOfJobs
  /// How many jobs have become ready in this schedule.
  var count: Int32 = 0
  /// The runs whose jobs have made outside tasks ready.
  var leavers: [Token?] = []
  var made = MadeTasks()
  /// The store of the schedule, for the names of runs.
  weak var feature: ExploredFeature?
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

  mutating func add(_ job: UnownedJob, _ counter: SuspensionCounter?) {
    let agent: Int32
    if self.agent >= 0 {
      agent = self.agent
      self.agent = ScheduleAgent.none
    } else {
      agent = nextAgent
      nextAgent += 1
    }
    jobs.append(ReadyJob(job: job, agent: agent, counter: counter, number: count))
    count += 1
  }

  /// The rest of a job that has stopped on its thread is ready.
  mutating func add(_ job: ReadyJob, on thread: JobThread) {
    stopped.append((count, thread))
    add(job.job, job.counter)
    jobs[jobs.count - 1].hasStopped = true
    jobs[jobs.count - 1].sender = sender
    sender = nil
  }

  /// Takes the thread of such a job.
  mutating func takeThread(of job: ReadyJob) -> JobThread? {
    guard let index = stopped.firstIndex(where: { $0.job == job.number }) else { return nil }
    return stopped.remove(at: index).thread
  }

  /// Takes a job out. Its agent acts from now on.
  mutating func take(_ index: Int) -> ReadyJob {
    let job = jobs.count == 1 ? jobs.removeLast() : jobs.remove(at: index)
    agent = job.agent
    return job
  }

  /// Adds the jobs that are ready, the oldest first; as ``ScheduleExecutor/list(into:withParts:)``.
  // Mutating, so that it is called in place: a copy of all jobs took 3 % of the time of a schedule.
  mutating func list(into options: inout [ScheduleOption], withParts: Bool) {
    for index in jobs.indices {
      options.append(option(index, isPart: !withParts && jobs[index].isReached))
      if withParts { options.append(option(index, isPart: true)) }
    }
  }

  private func option(_ index: Int, isPart: Bool) -> ScheduleOption {
    ScheduleOption(
      step: ScheduleStep(kind: isPart ? .jobPart : .job, index: Int32(index)), agent: jobs[index].agent,
      job: jobs[index].number)
  }
}

/// A job that is ready, or the rest of one that has stopped.
struct ReadyJob {
  var job: UnownedJob
  var agent: Int32
  /// The executor of its run, if it has one of its own.
  var counter: SuspensionCounter?
  /// Its number in the schedule.
  var number: Int32 = 0
  /// Whether a cancel can reach its run behind an action.
  var isReached: Bool { counter?.isReached == true }
  /// Whether it has begun, and has stopped on a thread of its own.
  var hasStopped = false
  /// The run behind whose action it has stopped; `nil` if it has stopped before one.
  var sender: Token?
}
