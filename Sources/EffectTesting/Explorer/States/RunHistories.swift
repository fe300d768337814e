// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// What the closures of a schedule have seen so far: the part of a state that no value shows.
///
/// A closure is a function of how it came to be and of what it has seen since: which of its jobs were executed, in which order,
/// that it was cancelled, what was chosen for it. So two closures with equal names and equal histories will do the same, if they
/// share no memory with others (see ``Memory``), and if their names tell what they capture. Each job that is executed is compared with
/// those before: see ``Deeds``.
@usableFromInline
final class RunHistories {
  /// What closures may share with each other.
  enum Memory: Int, Comparable, Sendable {
    /// Nothing: each has a history of its own.
    case none
    /// Anything: what a closure has seen includes the jobs of all others before.
    case shared
    /// Something that jobs do not show: no state is known to be the same as another one.
    case unknown

    static func < (left: Memory, right: Memory) -> Bool { left.rawValue < right.rawValue }
  }

  private struct Run {
    let token: Token
    let name: ClosureName
    var history: Int
    /// Whether it is cancelled.
    var isCancelled = false
    /// How many tasks it has had.
    var tasks: Int32 = 1
    /// If it is a timer.
    var ticks: Ticks?
  }

  /// Behind a tick, a timer waits for the next one, however late its job was.
  private struct Ticks {
    let interval: Duration
    /// Its history at its beginning, to which a tick leads back; `nil` if the ticks may differ.
    let start: Int?
    /// When it began, or the tick was due; `nil` before its closure is called.
    var began: Duration?
    /// When its last job began.
    var lastJob = Duration.zero

    mutating func noteJob(at now: Duration) {
      began = began ?? now
      lastJob = now
    }

    /// How many ticks were due when its last job began; the job has sent the last one of them.
    var due: Int128 { began.map { (lastJob - $0).attoseconds / interval.attoseconds } ?? 0 }

    mutating func noteTick() {
      let passed = Duration(attoseconds: due * interval.attoseconds)
      began? += passed
    }

    /// The time since its last tick, or since its beginning, and the tick that waits to be reduced.
    func hash(at now: Duration) -> Int {
      began.map { RunHistories.mixed((now - $0).hashValue, Int(truncatingIfNeeded: due)) } ?? 0
    }
  }

  /// A task of a run, or a job that is no task.
  struct Member {
    let run: Int
    /// Which of the tasks of the run it is.
    let place: Int32
  }

  /// What is known of a job that has stopped.
  struct StoppedJob {
    fileprivate let member: Member
    fileprivate let done: Int
  }

  /// Whether histories are kept in this schedule.
  private(set) var isOn = false
  private(set) var memory = Memory.none
  private var runs: [Run] = []
  private var ofTasks: [UInt64: Member] = [:]
  /// By their addresses. Another job may get the address of one that is over.
  private var ofJobs: [UInt: Member] = [:]
  private var ofTokens: [Token: Int] = [:]
  private var names: [ObjectIdentifier: ClosureName] = [:]
  private var executing: Member?
  /// The runs that have made tasks which need not end with them.
  private(set) var makers: Set<Int> = []
  /// What all jobs have done, in their order.
  private var common = 0
  /// What the body has chosen before the first step.
  private(set) var environment = 0
  /// What was chosen since the reduction at hand began: by the reducer, or a fault for a run that starts.
  private var loose = 0
  /// Whether a job was met that no run has made.
  private(set) var hasStrangers = false
  /// Whether closures were seen to share memory: one has resumed another, or has called an actor.
  private(set) var hasSharedMemory = false
  /// Whether a name contains the state before the reduction, and not only the action.
  private var namesState = false
  /// What jobs have done, in all schedules of the search at hand.
  private var deeds = Deeds()
  /// What distinguishes the closures of the state at hand from others that count as the same, as a sum of hashes.
  private(set) var difference = 0
  /// Likewise of all its closures.
  private(set) var origins = 0
  private var comparesDeeds = true
  private var forgetsTicks = true
  /// Whether a job has done something else than one before, with the same name and history.
  var hasOtherDeeds: Bool { deeds.differ }
  /// What the job at hand has done.
  private var done = 0
  /// The sleeper that had fallen asleep last when the job at hand began.
  private var sleeperBefore: UInt64 = 0
  /// The time of the clock.
  var now: () -> Duration = { .zero }
  /// The number of the sleeper that fell asleep last.
  var lastSleeper: () -> UInt64 = { 0 }
  /// How long the tasks of a run sleep that fell asleep after the sleeper with this number, as a hash.
  var sleeps: (Token, UInt64) -> Int = { _, _ in 0 }
  /// Reads the values of users.
  var values = ValueHash()

  /// The next schedule begins.
  ///
  /// - Parameters:
  ///   - memory: what closures may share; `nil` if no histories are kept.
  ///   - namesState: whether a name contains the state before the reduction.
  ///   - comparesDeeds: whether what jobs do is compared with other schedules.
  ///   - forgetsTicks: whether a timer that always sends the same action forgets its ticks.
  func begin(_ memory: Memory?, namesState: Bool = false, comparesDeeds: Bool = true, forgetsTicks: Bool = true) {
    isOn = memory != nil
    (self.comparesDeeds, self.forgetsTicks) = (comparesDeeds, forgetsTicks && memory == Memory.none)
    (self.memory, self.namesState) = (memory ?? .none, namesState)
    guard isOn else { return }
    runs.removeAll(keepingCapacity: true)
    ofTasks.removeAll(keepingCapacity: true)
    ofJobs.removeAll(keepingCapacity: true)
    ofTokens.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    values.reset()
    executing = nil
    makers.removeAll()
    (common, environment, loose) = (0, 0, 0)
    (hasStrangers, hasSharedMemory) = (false, false)
  }

  static func mixed(_ first: Int, _ second: Int) -> Int {
    // The finaliser of SplitMix64, over both.
    var bits = UInt64(bitPattern: Int64(first)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: Int64(second))
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits ^ (bits >> 31))
  }

  // MARK: - Names

  /// A reduction begins.
  func beginReduction() { loose = 0 }

  /// Names the runs, sequences and trees of an effect: by the action that it was made of, and by their places in it. If closures were
  /// seen to capture the state, also by the state.
  func name<Action>(_ effect: Effect<Action>, of action: Action, in state: Any) {
    var base: ClosureName?
    var count = 0
    func next() -> ClosureName {
      count += 1
      let known = base ?? baseName(of: action, in: state)
      base = known
      return ClosureName(place: Self.mixed(known.place, count), origin: known.origin)
    }
    var pending = [effect]
    while let part = pending.popLast() {
      switch part {
      case .none, .send, .cancel: break
      case .run(let operation): names[ObjectIdentifier(operation)] = next()
      case .merge(let parts): pending.append(contentsOf: parts)
      case .concatenate(let parts):
        names[ObjectIdentifier(parts.node)] = next()
        pending.append(contentsOf: parts)
      case .cancellable(let tree):
        names[ObjectIdentifier(tree.node)] = next()
        pending.append(tree.content)
      }
    }
  }

  private func baseName(of action: Any, in state: Any) -> ClosureName {
    var hasher = Hasher()
    if namesState { values.add(state, to: &hasher) }
    values.add(action, to: &hasher)
    hasher.combine(loose)
    let place = hasher.finalize()
    if namesState { return ClosureName(place: place, origin: 0) }
    hasher = Hasher()
    hasher.combine(place)
    values.add(state, to: &hasher)
    return ClosureName(place: place, origin: hasher.finalize())
  }

  /// The name of a run, sequence or tree that may not have begun.
  func name(of part: AnyObject) -> Int {
    guard let name = names[ObjectIdentifier(part)] else { return 0 }
    distinguish(name, name.place)
    return name.place
  }

  private func distinguish(_ name: ClosureName, _ history: Int) {
    if name.origin == 0 { return }
    let origin = Self.mixed(history, name.origin)
    origins &+= origin
    if !deeds.haveCompared(name) { difference &+= origin }
  }

  /// A state is read from now on: ``difference`` is about the closures that are named for it.
  func beginState() { (difference, origins) = (0, 0) }

  /// The number of a run whose closure was started, among those of the schedule; `nil` for others.
  func number(of token: Token) -> Int? { ofTokens[token] }

  /// The name of such a run, and its history.
  func history(of run: Int) -> Int {
    let name = runs[run].name
    var history = Self.mixed(name.place, runs[run].history)
    if let ticks = runs[run].ticks { history = Self.mixed(history, ticks.hash(at: now())) }
    distinguish(name, history)
    return history
  }

  /// Its name alone.
  func name(ofRun run: Int) -> Int {
    distinguish(runs[run].name, runs[run].name.place)
    return runs[run].name.place
  }

  func token(of run: Int) -> Token { runs[run].token }

  // MARK: - What happens

  private enum Mark {
    static let cancelled = 1
    static let neverCalled = 4
    static let wasReduced = 2
    static let wasDropped = 3
    static let stopped = 5
    static let chosen = 16
    static let job = 1 << 32
  }

  private func note(_ mark: Int, in run: Int) {
    runs[run].history = Self.mixed(runs[run].history, mark)
  }

  /// A task was made for the closure of a run, or for its `catch`.
  func started(_ task: Task<Void, Never>, _ token: Token, _ operation: any AnyOperation, thrown error: (any Error)?) {
    guard isOn else { return }
    var hasher = Hasher()
    hasher.combine(loose)
    if let error { values.add(error, to: &hasher) }
    ofTasks[JobIdentity.task(task)] = Member(run: runs.count, place: 0)
    ofTokens[token] = runs.count
    let name = names[ObjectIdentifier(operation)] ?? .none
    let history = hasher.finalize()
    runs.append(Run(token: token, name: name, history: history))
    if case .timer(let interval, let hasEqualTicks) = operation.builtIn {
      runs[runs.count - 1].ticks = Ticks(interval: interval, start: hasEqualTicks && forgetsTicks ? history : nil)
    }
    loose = 0
  }

  /// The task of a run is cancelled.
  ///
  /// - Parameter isCalled: whether its closure was called, or will be.
  func cancelled(_ token: Token, isCalled: Bool) {
    guard isOn, let run = ofTokens[token] else { return }
    note(isCalled ? Mark.cancelled : Mark.neverCalled, in: run)
    runs[run].isCancelled = true
  }

  /// A run learns whether the action was reduced for which it has waited.
  func delivered(_ token: Token, wasReduced: Bool) {
    guard isOn, let run = ofTokens[token] else { return }
    if wasReduced, let ticks = runs[run].ticks {
      // A closure that makes the action of each tick is given its number.
      note(Int(truncatingIfNeeded: ticks.due), in: run)
      if let start = ticks.start { runs[run].history = start }
      runs[run].ticks?.noteTick()
    }
    note(wasReduced ? Mark.wasReduced : Mark.wasDropped, in: run)
  }

  /// A number was chosen.
  func chosen(_ number: Int) {
    guard isOn else { return }
    if let executing {
      note(Mark.chosen + number, in: executing.run)
    } else {
      loose = Self.mixed(loose, number)
      if runs.isEmpty { environment = Self.mixed(environment, number) }
    }
  }

  /// A job becomes ready on the thread of the player.
  func enqueued(_ job: UnownedJob) {
    guard isOn else { return }
    guard case .task(let id) = JobIdentity(job) else {
      guard let executing else {
        hasStrangers = true
        return
      }
      // A call of an actor, or a `Task.yield()`.
      if JobIdentity(job) == .actor { hasSharedMemory = true }
      ofJobs[JobIdentity.address(job)] = Member(run: executing.run, place: -1 - executing.place)
      return
    }
    if let known = ofTasks[id] {
      // One that waits for a continuation is resumed by another run: they share something.
      if let executing, executing.run != known.run {
        hasSharedMemory = true
        note(runs[executing.run].history, in: known.run)
      }
    } else if let executing {
      ofTasks[id] = Member(run: executing.run, place: runs[executing.run].tasks)
      runs[executing.run].tasks += 1
    }
  }

  /// A `Task {}` or a detached task was made, which does not end with its run. Called before ``enqueued(_:)``.
  func made(_ task: UInt64) {
    guard isOn else { return }
    if executing == nil {
      // By the body, as all tasks that no run has made.
      if ofTokens[.none] == nil {
        ofTokens[.none] = runs.count
        runs.append(Run(token: .none, name: .none, history: 0, tasks: 0))
      }
      if let body = ofTokens[.none] {
        ofTasks[task] = Member(run: body, place: runs[body].tasks)
        runs[body].tasks += 1
      }
    }
    makers.insert(executing?.run ?? ofTokens[.none] ?? 0)
  }

  /// The run that a job belongs to; `nil` if it is not known.
  func member(of job: UnownedJob) -> Member? {
    if case .task(let id) = JobIdentity(job) { ofTasks[id] } else { ofJobs[JobIdentity.address(job)] }
  }

  /// A job is executed from now on.
  func beginJob(_ job: UnownedJob) {
    guard isOn else { return }
    guard let member = member(of: job) else {
      hasStrangers = true
      return
    }
    runs[member.run].ticks?.noteJob(at: now())
    note(Mark.job + Int(member.place), in: member.run)
    // It may see what the jobs of others have done.
    if memory == .shared { note(common, in: member.run) }
    executing = member
    (done, sleeperBefore) = (0, lastSleeper())
  }

  /// The job at hand has sent an action.
  func sent(_ action: Any) {
    guard isOn, executing != nil else { return }
    var hasher = Hasher()
    values.add(action, to: &hasher)
    done = Self.mixed(done, hasher.finalize())
  }

  /// A closure has sent an action, and waits until it was reduced.
  func delivers(_ action: Any, _ token: Token) {
    guard isOn, let run = ofTokens[token] else { return }
    var hasher = Hasher()
    values.add(action, to: &hasher)
    noteDeed(hasher.finalize(), after: Self.mixed(history(of: run), 2))
  }

  /// A closure has returned or thrown.
  func ended(_ token: Token, _ error: (any Error)?) {
    guard isOn, let run = ofTokens[token] else { return }
    var hasher = Hasher()
    if let error { values.add(error, to: &hasher) }
    let history = history(of: run)
    noteDeed(hasher.finalize(), after: Self.mixed(history, 1))
    if comparesDeeds { deeds.noteEnd(of: runs[run].name, after: history, isCancelled: runs[run].isCancelled) }
  }

  /// The search begins again: what jobs have done before is not known any more.
  func forgetDeeds() {
    deeds = Deeds()
  }

  /// The search goes on with these histories in place of others, which may be kept by a task that never ends.
  func takeDeeds(of former: RunHistories) {
    deeds = former.deeds
    former.forgetDeeds()
  }

  private func noteDeed(_ deed: Int, after history: Int) {
    if comparesDeeds { deeds.note(deed, after: history) }
  }

  /// The job at hand stops in the middle: others act until it goes on.
  func stopJob() -> StoppedJob? {
    guard isOn, let member = executing else { return nil }
    note(Mark.stopped, in: member.run)
    if memory == .shared { common = Self.mixed(common, history(of: member.run)) }
    executing = nil
    return StoppedJob(member: member, done: Self.mixed(done, sleeps(runs[member.run].token, sleeperBefore)))
  }

  /// A job goes on that had stopped.
  func continueJob(_ job: StoppedJob?) {
    guard isOn, let job else { return }
    note(Mark.job + Int(job.member.place), in: job.member.run)
    if memory == .shared { note(common, in: job.member.run) }
    (executing, done, sleeperBefore) = (job.member, job.done, lastSleeper())
  }

  /// It is over.
  func endJob() {
    guard isOn, let run = executing?.run else { return }
    executing = nil
    let slept = sleeps(runs[run].token, sleeperBefore)
    noteDeed(Self.mixed(done, slept), after: history(of: run))
    if comparesDeeds, done != 0 || slept != 0, runs[run].isCancelled { deeds.noteLateDeed(of: runs[run].name) }
    if memory == .shared {
      common = Self.mixed(common, Self.mixed(runs[run].name.place, runs[run].history))
      note(common, in: run)
    }
  }

  // MARK: - As a part of a state

  /// Adds what belongs to no single run.
  func addCommon(to hasher: inout Hasher) {
    hasher.combine(environment)
    hasher.combine(common)
  }
}
