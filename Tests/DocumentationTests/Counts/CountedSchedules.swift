// This source file is part of swift-effects. License: Apache-2.0.

/// The remaining steps in one schedule. The number of their possible orders is counted by plain recursion over all
/// possible next steps, without a store, a task or the explorer.
struct CountedSchedules<State, Action> {
  private typealias Run = CountedRun<State, Action>

  private enum Mail {
    case sent(Action)
    case answer(Action, of: Int, isAwaited: Bool)
    case end(of: Int)
  }

  private enum Job { case run(Int), actor }

  private enum Decision {
    /// A run starts: a fault may be injected into it.
    case start(Int)
    /// A run whose closure has not been called is cancelled.
    case cancel(Int)
  }

  private struct Living {
    enum Phase {
      case delayed(until: Int), queued, ready, called, returned
      case asleep(until: Int, givesUp: Bool), waiting((State) -> Bool), hanging, awaiting, asking
    }

    var run: Run
    var parts: [Run.Part]
    var phase = Phase.ready
    var isCancelled = false
    var isJoined = false
    var hasFailed = false
    /// Its `catch` executes, so it has left its slot.
    var isCatching = false
    /// The end has been taken.
    var isOver = false
    /// Its sleep has ended. The sleep fails if the run is cancelled before it goes on.
    var isWoken = false
    /// The time at which it exceeds its limit.
    var alarm: Int?
    /// Its next action is duplicated.
    var duplicates = false
    /// It was cancelled during a sleep or a wait, and goes on to its end.
    var givesUp = false

    var deadline: Int? {
      if let alarm { return alarm }
      if case .asleep(let instant, _) = phase { return instant }
      if case .delayed(let instant) = phase { return instant }
      return nil
    }

    var isLive: Bool { !isCancelled && !isOver }
    var hasPlace: Bool { !isOver && !isQueued && !isCatching && (!isCancelled || run.isExclusive) }
    var isQueued: Bool { if case .queued = phase { true } else { false } }
  }

  private let feature: CountedFeature<State, Action>
  private var state: State
  private var script: ArraySlice<Action>
  private var mail: [Mail] = []
  /// All runs so far.
  private var runs: [Living] = []
  private var jobs: [Job] = []
  /// Runs that the actor will answer in its next job.
  private var asked: [Int] = []
  /// Ends that are separate steps, in the order in which they came.
  private var ends: [Int] = []
  private var decisions: [Decision] = []
  private var hasStruck = false
  private var now = 0

  init(_ feature: CountedFeature<State, Action>) {
    self.feature = feature
    state = feature.start
    script = feature.script[...]
  }

  // MARK: - What can happen next

  /// The number of remaining schedules: one if nothing can happen, otherwise the sum over all possible next steps.
  func rest() -> Int {
    var world = self
    if world.decisions.isEmpty { world.takeMailOfCancelled() }
    while world.decisions.isEmpty, world.takeFromMail() {}
    if !world.decisions.isEmpty { return world.decide() }
    var count = 0
    var isAnything = false
    func add(_ change: (inout Self) -> Void) {
      var next = world
      change(&next)
      count += next.rest()
      isAnything = true
    }
    if !script.isEmpty { add { $0.mail.append(.sent($0.script.removeFirst())) } }
    let quiet = world.ends.filter { world.isQuiet($0) }
    let loud = world.ends.filter { !world.isQuiet($0) }
    // Any subset of the quiet ends may be taken before a delivery or a loud end. Their order makes no difference.
    let subsets = feature.choices.contains(.ends) ? 1 << quiet.count : 1
    for before in 0..<subsets where !(world.mail.isEmpty && loud.isEmpty) {
      let taken = quiet.indices.filter { before & 1 << $0 != 0 }.map { quiet[$0] }
      if !world.mail.isEmpty {
        add { world in
          for run in taken { world.takeEnd(of: run) }
          world.deliver()
        }
      }
      for run in loud {
        add { world in
          for run in taken + [run] { world.takeEnd(of: run) }
        }
      }
    }
    for job in world.jobs.indices { add { $0.proceed($0.jobs.remove(at: job)) } }
    for run in world.dueNext { add { $0.wake(run) } }
    return isAnything ? count : 1
  }

  private mutating func decide() -> Int {
    switch decisions.removeFirst() {
    case .start(let run):
      var count = rest()
      guard !hasStruck, let id = runs[run].run.id else { return count }
      for fault in feature.faults[id] ?? [] {
        var next = self
        next.hasStruck = true
        switch fault {
        case .fails: next.runs[run].parts = [.fail]
        case .hangs: next.runs[run].parts = [.hang]
        case .duplicates: next.runs[run].duplicates = true
        }
        count += next.rest()
      }
      return count
    case .cancel(let run):
      let called = rest()
      if !feature.choices.contains(.calls) { return called }
      jobs.removeAll { if case .run(run) = $0 { true } else { false } }
      runs[run].phase = .returned
      mail.append(.end(of: run))
      return called + rest()
    }
  }

  // MARK: - Ends

  /// Takes messages that are not a step: an end, if nothing can observe when it is taken; with eager delivery all
  /// messages.
  private mutating func takeFromMail() -> Bool {
    guard let first = mail.first else { return false }
    guard case .end(let run) = first else {
      guard feature.isEager else { return false }
      deliver()
      return true
    }
    mail.removeFirst()
    if feature.isEager || isUnseen(run) { takeEnd(of: run) } else { ends.append(run) }
    return true
  }

  /// Takes the actions of cancelled runs, which are dropped, and their ends. Nothing can observe when.
  private mutating func takeMailOfCancelled() {
    if feature.isEager || !feature.faults.isEmpty { return }
    for run in ends where !runs[run].isLive && isUnseen(run) { takeEnd(of: run) }
    mail.removeAll { if case .answer(_, let run, isAwaited: false) = $0 { !runs[run].isLive } else { false } }
    for case .end(let run) in mail where !runs[run].isLive && isUnseen(run) { takeEnd(of: run) }
    mail.removeAll { if case .end(let run) = $0 { runs[run].isOver } else { false } }
  }

  /// Nothing can observe when its end is taken.
  private func isUnseen(_ run: Int) -> Bool {
    let living = runs[run]
    if living.isCancelled { return !living.run.isExclusive && living.run.name == nil }
    if living.run.endIsStep && !living.isCatching { return false }
    if living.isJoined || living.hasFailed && living.run.failure != nil { return false }
    guard living.run.id != nil, !living.isCatching else { return true }
    return living.run.overlap == .concurrent || living.run.overlap == .restart
  }

  /// Only a delivery or another end can observe whether its end was taken before. An end that was set aside stays a
  /// step if its run is cancelled in the meantime.
  private func isQuiet(_ run: Int) -> Bool {
    if isUnseen(run) { return true }
    let living = runs[run]
    if living.run.endIsStep || runs.contains(where: { $0.alarm != nil }) { return false }
    if living.isJoined || living.hasFailed && living.run.failure != nil { return false }
    return !runs.contains { $0.isQueued && $0.isLive && $0.run.id == living.run.id }
  }

  private mutating func takeEnd(of run: Int) {
    ends.removeAll { $0 == run }
    runs[run].alarm = nil
    if runs[run].isLive, runs[run].hasFailed, let failure = runs[run].run.failure {
      runs[run].hasFailed = false
      runs[run].isCatching = true
      runs[run].parts = failure
      runs[run].phase = .ready
      jobs.append(.run(run))
      return startQueued(runs[run].run.id)
    }
    runs[run].isOver = true
    startQueued(runs[run].run.id)
  }

  private mutating func startQueued(_ id: String?) {
    guard let id, !runs.contains(where: { $0.run.id == id && $0.hasPlace }),
      let next = runs.indices.first(where: { runs[$0].run.id == id && runs[$0].isLive && runs[$0].isQueued })
    else { return }
    start(next)
  }

  // MARK: - Turns

  private mutating func deliver() {
    switch mail.removeFirst() {
    case .sent(let action): reduce(action)
    case .answer(let action, let run, let isAwaited):
      if runs[run].duplicates {
        runs[run].duplicates = false
        mail.insert(.answer(action, of: run, isAwaited: false), at: 0)
      }
      if runs[run].isLive { reduce(action) }
      if isAwaited, case .awaiting = runs[run].phase, !runs[run].isCancelled {
        runs[run].phase = .called
        jobs.append(.run(run))
      }
    case .end: break
    }
  }

  private mutating func reduce(_ action: Action) {
    var actions = [action]
    while !actions.isEmpty {
      for effect in feature.reduce(&state, actions.removeFirst()) {
        switch effect {
        case .run(let run): arrive(run)
        case .cancel(let ids):
          cancel { $0.run.name.map(ids.contains) ?? $0.run.id.map(ids.contains) ?? false }
        case .cancelEverything: cancel { _ in true }
        case .send(let action): actions.append(action)
        }
      }
    }
  }

  private mutating func cancel(_ isMeant: (Living) -> Bool) {
    for run in runs.indices where runs[run].isLive && isMeant(runs[run]) { cancel(run) }
  }

  private mutating func cancel(_ run: Int) {
    runs[run].isCancelled = true
    runs[run].alarm = nil
    switch runs[run].phase {
    case .queued: runs[run].isOver = true
    case .ready: decisions.append(.cancel(run))
    case .asleep(_, let givesUp):
      runs[run].phase = .called
      runs[run].givesUp = givesUp
      jobs.append(.run(run))
    case .hanging, .awaiting:
      runs[run].phase = .called
      runs[run].givesUp = true
      jobs.append(.run(run))
    case .waiting:
      runs[run].phase = .called
      jobs.append(.run(run))
    case .delayed: runs[run].isOver = true
    case .called, .asking, .returned: break
    }
  }

  private mutating func arrive(_ run: Run) {
    let others = runs.indices.filter { runs[$0].isLive && runs[$0].run.id == run.id && run.id != nil }
    let holding = others.filter { !runs[$0].isCatching }
    switch run.overlap {
    case .concurrent: break
    case .restart: for other in others { cancel(other) }
    case .drop: if !holding.isEmpty { return }
    case .enqueue, .join:
      if run.overlap == .join, let same = holding.first(where: { runs[$0].run.input == run.input }) {
        runs[same].isJoined = true
        return
      }
      if runs.contains(where: { $0.run.id == run.id && $0.hasPlace }) {
        runs.append(Living(run: run, parts: run.parts, phase: .queued))
        return
      }
    }
    if let delay = run.delay {
      runs.append(Living(run: run, parts: run.parts, phase: .delayed(until: now + delay)))
      return
    }
    runs.append(Living(run: run, parts: run.parts))
    start(runs.count - 1)
  }

  private mutating func start(_ run: Int) {
    runs[run].phase = .ready
    jobs.append(.run(run))
    runs[run].alarm = runs[run].run.limit.map { now + $0 }
    decisions.append(.start(run))
  }

  // MARK: - Jobs and deadlines

  private mutating func proceed(_ job: Job) {
    let others = jobs.count
    goOn(job)
    while feature.descends, jobs.count > others { goOn(jobs.remove(at: others)) }
  }

  private mutating func goOn(_ job: Job) {
    switch job {
    case .actor:
      for run in asked { jobs.append(.run(run)) }
      asked = []
    case .run(let run): goOn(run)
    }
  }

  private mutating func goOn(_ run: Int) {
    runs[run].phase = .called
    if runs[run].isWoken, runs[run].isCancelled { runs[run].givesUp = true }
    runs[run].isWoken = false
    while !runs[run].givesUp, !runs[run].parts.isEmpty {
      switch runs[run].parts.removeFirst() {
      case .send(let action):
        mail.append(.answer(action, of: run, isAwaited: false))
        if let id = runs[run].run.id, feature.reached.contains(id) {
          // The rest is a job of its own.
          return jobs.append(.run(run))
        }
      case .delivered(let action):
        mail.append(.answer(action, of: run, isAwaited: true))
        guard runs[run].isCancelled else { return runs[run].phase = .awaiting }
        runs[run].givesUp = true
        return jobs.append(.run(run))
      case .look(let look):
        runs[run].parts = look(&state) + runs[run].parts
        for other in runs.indices {
          guard case .waiting(let condition) = runs[other].phase, condition(state) else { continue }
          runs[other].phase = .called
          jobs.append(.run(other))
        }
      case .wait(let condition):
        if !runs[run].isCancelled, !condition(state) { return runs[run].phase = .waiting(condition) }
      case .sleep(let duration, let goesOn):
        guard runs[run].isCancelled else {
          return runs[run].phase = .asleep(until: now + duration, givesUp: !goesOn)
        }
        if !goesOn { runs[run].givesUp = true }
        return jobs.append(.run(run))
      case .ask:
        if asked.isEmpty { jobs.append(.actor) }
        asked.append(run)
        return runs[run].phase = .asking
      case .returnIfCancelled: if runs[run].isCancelled { runs[run].givesUp = true }
      case .fail:
        runs[run].hasFailed = true
        runs[run].parts = []
      case .hang:
        if runs[run].isCancelled { runs[run].givesUp = true } else { return runs[run].phase = .hanging }
      }
    }
    runs[run].phase = .returned
    mail.append(.end(of: run))
  }

  /// The runs whose sleep or time limit ends next.
  private var dueNext: [Int] {
    var due: [Int] = []
    var first = Int.max
    for run in runs.indices {
      guard let instant = runs[run].deadline, instant <= first else { continue }
      if instant < first { due = [] }
      first = instant
      due.append(run)
    }
    return due
  }

  private mutating func wake(_ run: Int) {
    if let alarm = runs[run].alarm { return runOut(run, at: alarm) }
    if case .delayed(let instant) = runs[run].phase {
      now = instant
      return start(run)
    }
    guard case .asleep(let instant, let givesUp) = runs[run].phase else { return }
    now = instant
    runs[run].phase = .called
    runs[run].isWoken = givesUp
    jobs.append(.run(run))
  }

  /// An attempt that has exceeded its limit is not waited for.
  private mutating func runOut(_ run: Int, at instant: Int) {
    now = instant
    cancel(run)
    guard let failure = runs[run].run.failure else { return }
    var next = runs[run].run
    next.limit = nil
    next.failure = nil
    runs.append(Living(run: next, parts: failure, isCatching: true))
    jobs.append(.run(runs.count - 1))
  }
}
