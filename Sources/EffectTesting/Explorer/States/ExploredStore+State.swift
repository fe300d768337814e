// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// All that can influence what comes, as a hash.
extension ExploredStore {
  // MARK: - Names

  @usableFromInline
  func beginReduction() {
    runner.histories.beginReduction()
    reduced = engine.held.map { ($0.action, engine.state) }
  }

  func name(_ effect: Effect<Action>) {
    guard let (action, state) = reduced else { return }
    reduced = nil
    if !effect.isNone { runner.histories.name(effect, of: action, in: state) }
  }

  @usableFromInline
  func noteStart(_ task: Task<Void, Never>, _ token: Token) {
    // Not the operation that was started: one around it binds the values that the store carries.
    guard let operation = scheduler.operation(of: token) else { return }
    runner.histories.started(task, token, operation, thrown: scheduler.caughtError(of: token))
  }

  @usableFromInline
  func noteEnd(of token: Token, _ error: (any Error)?) { runner.histories.ended(token, error) }

  // MARK: - Cancelled closures

  /// Whether no code can observe when the closure of a cancelled run goes on, and whether it was called.
  @usableFromInline
  func isForgotten(_ token: Token) -> Bool {
    scheduler.isCancelled(token) && canBeForgotten(token) && !hasFaults
  }

  /// Whether this will be so when the run is cancelled, if there are no faults.
  @usableFromInline
  func canBeForgotten(_ token: Token) -> Bool {
    scheduler.canBeForgotten(token) && !properties.observesCancelled && script.senders == nil
  }

  // MARK: - The state

  @usableFromInline
  func fingerprint() -> StateKey? {
    let histories = runner.histories
    if histories.hasStrangers { return nil }
    histories.beginState()
    let now = clock.offset
    var hasher = Hasher()
    if let senders = script.senders {
      guard senders.addState(to: &hasher, now: now) else { return nil }
      hasher.combine(engine.isEnding)
    }
    histories.values.add(engine.state, to: &hasher)
    engine.stackCounter.numbers.add(to: &hasher)
    hasher.combine(hasEventuallyHeld)
    hasher.combine(script.position)
    hasher.combine(runner.schedule.isAtRest)
    if script.hasNext { hasher.combine(script.nextAdvance.map { $0 - now }) }
    histories.addCommon(to: &hasher)
    if runner.knowledge.readsTime { hasher.combine(now) }
    guard let records = records(now, &hasher) else { return nil }
    var returned: [Token: Int] = [:]
    for (token, error) in ends {
      var own = Hasher()
      if let error { histories.values.add(error, to: &own) }
      returned[token] = own.finalize()
    }
    func record(_ token: Token) -> Int {
      guard let run = histories.number(of: token) else { return 0 }
      guard let end = returned[token] else { return records[run, default: histories.history(of: run)] }
      // What a closure has seen before it has returned influences nothing any more.
      return RunHistories.mixed(histories.name(ofRun: run), end)
    }
    add(messagesTo: &hasher, record)
    if hasFaults { addFaults(to: &hasher) }
    var sum = 0
    for run in live {
      sum &+= RunHistories.mixed(record(run.token), (run.body.isWaiting ? 1 : 2) + (hung.contains(run.token) ? 4 : 0))
    }
    for run in histories.makers {
      sum &+= RunHistories.mixed(records[run, default: histories.history(of: run)], 8)
    }
    hasher.combine(sum)
    for (requirement, run, _) in finishing {
      hasher.combine(requirement)
      hasher.combine(histories.name(of: run))
    }
    let names = WorkNames(
      run: { token, operation in
        histories.number(of: token) == nil ? histories.name(of: operation) : record(token)
      }, node: { histories.name(of: $0) }, dispatch: dispatchNames)
    scheduler.addFingerprint(to: &hasher, now: now, names)
    let state = hasher.finalize()
    if runner.weights != nil { weigh(state, now) }
    return StateKey(state: state, difference: histories.difference, origins: histories.origins)
  }

  /// Notes the situations of lines: of runs, of their deadlines, of faults and of the script.
  private func weigh(_ state: Int, _ now: Duration) {
    runner.weights?.begin()
    // Of code without a store, `finally` is a run as well, which a test cannot leave out.
    for run in live where !(runner.evidence.isPlain && run.run.id == PlainCode.finally) {
      let history = runner.histories.number(of: run.token).map { runner.histories.history(of: $0) } ?? 0
      let situation = (history ^ (run.body.isWaiting ? 0 : 2)) | 1
      runner.weights?.add("\(run.operation.site)", Self.brief(run.operation), situation)
    }
    let asleep = clock.sleepersInOrder.compactMap { sleeper in sleeper.run.map { ($0, sleeper.deadline) } }
    for (token, deadline) in asleep + scheduler.alarmsOfRuns {
      guard let operation = scheduler.operation(of: token) else { continue }
      runner.weights?.add(
        "\(operation.site)", isDeadline: true, "the deadlines of \(Self.brief(operation))",
        (deadline - now).hashValue | 1)
    }
    // What a fault causes lies in all that follows: so each state behind one is a situation of its own.
    if runner.schedule.faultCount > 0, runner.settings.faults.chance == nil {
      runner.weights?.add("faults", "the faults", state | 1)
    }
    var position = script.position + 1
    if let senders = script.senders {
      var hasher = Hasher()
      if senders.addState(to: &hasher, now: now) { position = hasher.finalize() | 1 }
    }
    runner.weights?.add("script", "the actions of the script", position)
  }

  /// The line of a run, and the id of one of its runs, if it has one.
  private static func brief(_ operation: any AnyOperation) -> String {
    "\(operation.id.map { "run(\($0))" } ?? "\(EffectRun(operation))") at \(operation.site)"
  }

  /// Names actions by their steps, where a step may wait for what one has caused, or cancel it, or where each has values that its runs
  /// are given.
  private var dispatchNames: ((UInt64) -> Int)? {
    guard script.senders != nil || mailbox.carried != nil else { return nil }
    return { [script] in script.step(ofDispatch: $0) ?? -1 }
  }

  /// What is known of each run whose closure sleeps or has a job that is ready: its history, and that. `nil` if a job is ready that
  /// no run has made. Sleepers of no run are added to the hash.
  private func records(_ now: Duration, _ hasher: inout Hasher) -> [Int: Int]? {
    let histories = runner.histories
    var records: [Int: Int] = [:]
    var others = 0
    // In the order in which they fell asleep: that says which of the tasks of a run sleeps until when.
    for sleeper in clock.sleepersInOrder {
      let wait = (sleeper.deadline - now).hashValue
      if let run = sleeper.run.flatMap({ histories.number(of: $0) }) {
        records[run] = RunHistories.mixed(records[run] ?? histories.history(of: run), wait)
      } else {
        others &+= RunHistories.mixed(1, wait)
      }
    }
    hasher.combine(others)
    var ready: [Int: Int] = [:]
    for job in executor.readyJobs {
      guard let member = histories.member(of: job) else { return nil }
      // In any order: each of them is an option.
      ready[member.run, default: 0] &+= RunHistories.mixed(2, Int(member.place))
    }
    for (run, jobs) in ready { records[run] = RunHistories.mixed(records[run] ?? histories.history(of: run), jobs) }
    return records
  }

  /// The messages that wait, and the ends that were set aside.
  private func add(messagesTo hasher: inout Hasher, _ record: (Token) -> Int) {
    let waiting = batch[position...] + mailbox.waiting
    hasher.combine(waiting.count)
    var dispatch = engine.taken
    for message in waiting {
      add(message, to: &hasher, record)
      guard case .action = message else { continue }
      dispatch += 1
      hasher.combine(dispatchNames?(dispatch))
    }
    // In any order: each of them may be taken next, except those before one that was quiet.
    let quiet = runner.schedule.lastEndWasQuiet ? runner.schedule.steps.last : nil
    hasher.combine(quiet == nil)
    var sum = 0
    for (index, end) in ends.enumerated() {
      var own = Hasher()
      own.combine(record(end.token))
      own.combine(quiet.map { index < Int($0.index) })
      sum &+= own.finalize()
    }
    hasher.combine(sum)
  }

  private func add(_ message: Message<Action>, to hasher: inout Hasher, _ record: (Token) -> Int) {
    let histories = runner.histories
    switch message {
    case .action(let action):
      hasher.combine(0)
      histories.values.add(action, to: &hasher)
    case .sent(let action, let token), .order(.delivered(let action, let token, _)),
      .order(.late(let action, let token, _, _)):
      if case .sent = message { hasher.combine(1) } else { hasher.combine(2) }
      histories.values.add(action, to: &hasher)
      hasher.combine(record(token))
      hasher.combine(scheduler.isLive(token))
    case .ended(let token, let error):
      hasher.combine(3)
      hasher.combine(record(token))
      if let error { histories.values.add(error, to: &hasher) }
    case .order(.cancel(let ids)):
      hasher.combine(4)
      hasher.combine(ids)
    case .order(.watch(let number, _, _)):
      hasher.combine(5)
      hasher.combine(dispatchNames?(number))
    case .cancelDispatch(let number):
      hasher.combine(6)
      hasher.combine(dispatchNames?(number))
    case .order(.shutDown(let shutdown, _, _)):
      hasher.combine(7)
      hasher.combine(shutdown.limit)
    // Only for a trace.
    case .order(.slept), .order(.called): break
    default: hasher.combine(8)
    }
  }

  /// The faults that were injected, and the runs whose next action or suspension they concern.
  private func addFaults(to hasher: inout Hasher) {
    hasher.combine(runner.schedule.faultCount)
    hasher.combine(runner.histories.number(of: duplicated))
    if runner.settings.faults.chance != nil { hasher.combine(runner.schedule.starts) }
  }
}
