// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// A shell around a scheduler that makes no task: it performs commands by writing them down.
///
/// Runs have the name they were built with; a test decides what they send and when their closures return. The harness
/// drives the scheduler as a store does, takes every turn to its end, and reduces by a table of effects.
final class SchedulerHarness {
  /// What could be seen from outside, in order.
  enum Event: Equatable {
    case reduced(String)
    case started(String)
    case recovered(String)
    case cancelled(String)
    case reported(String)
    case finished(UInt64)
  }

  var driven: DrivenScheduler<String>
  /// The harness's clock; ``advance(to:)`` moves it.
  private let clock = HarnessClock()
  /// The scheduler that is driven.
  // With `_read`, a debug build releases the parts of the scheduler that a test reads.
  var scheduler: Scheduler {
    get { driven.scheduler }
    _modify { yield &driven.scheduler }
  }
  let ledger = Ledger()
  /// Whether the outcomes of every dispatch are collected, and not only of requests.
  var collectsAll = false
  /// What the waiters of requests got, in order.
  private(set) var allOutcomes: [RequestOutcomes] = []
  /// The outcomes that the last waiter got.
  var outcomes: RequestOutcomes? { allOutcomes.last }
  /// The effect of each action; `none` for one that is not listed.
  var effects: (String) -> Effect<String>
  private(set) var events: [Event] = []
  /// Runs that were released and never started, in order of their release.
  private(set) var dropped: [String] = []
  /// What was reported about overlaps that differ.
  private(set) var conflicts: [EffectFailure] = []
  /// What was reported about cancels that reached a tree around them.
  private(set) var selfCancellations: [EffectFailure] = []
  /// Dispatches for which a wait of a run was ended, because the wait would never have ended by itself.
  private(set) var refused: [UInt64] = []
  private(set) var latestDispatch: UInt64 = 0
  private var everStarted: Set<String> = []
  /// The runs whose closures have started and not returned, in the order they started.
  private(set) var executingInOrder: [String] = []
  private var tokens: [String: Token] = [:]
  private var closures: [Token: Effect<String>.Operation] = [:]
  private var watchers: [ObjectIdentifier: (number: UInt64, waiter: Waiter)] = [:]

  init(_ effects: @escaping (Ledger, String) -> Effect<String> = { _, _ in .none }) {
    driven = DrivenScheduler(now: { [clock] in clock.now })
    self.effects = { [ledger] in effects(ledger, $0) }
  }

  /// Takes the events since the last call.
  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Takes the drops since the last call.
  func takeDropped() -> [String] {
    defer { dropped = [] }
    return dropped
  }

  // MARK: - Inputs

  /// An action from outside; answers with the number of its dispatch.
  @discardableResult
  func send(_ action: String, isRefusing: Bool = false) -> UInt64 {
    latestDispatch += 1
    if collectsAll { scheduler.collectOutcomes(ofDispatch: latestDispatch) }
    scheduler.beginTurn(dispatch: latestDispatch, isRefusing: isRefusing)
    reduce(action)
    completeTurn()
    return latestDispatch
  }

  /// An action from outside whose effect is given as an argument.
  @discardableResult
  func perform(_ effect: (Ledger) -> Effect<String>) -> UInt64 {
    latestDispatch += 1
    scheduler.beginTurn(dispatch: latestDispatch)
    driven.reduced(effect(ledger))
    perform()
    completeTurn()
    return latestDispatch
  }

  /// An action of a run; answers whether it was reduced.
  @discardableResult
  func send(_ action: String, by run: String) -> Bool {
    send(action, by: token(of: run))
  }

  @discardableResult
  func send(_ action: String, by token: Token) -> Bool {
    guard scheduler.beginTurn(sentBy: token) else { return false }
    reduce(action)
    completeTurn()
    return true
  }

  /// The closure of a run has returned or thrown.
  func end(_ run: String, error: (any Error)? = nil) {
    let token = token(of: run)
    tokens[run] = nil
    executingInOrder.removeAll { $0 == run }
    end(token, error: error)
  }

  /// The closure with this token has returned or thrown; for an attempt whose run has continued without it.
  func end(_ token: Token, error: (any Error)? = nil) {
    closures[token] = nil
    // The type of a `catch` closure does not let it throw.
    let error = scheduler.isRecovering(token) ? nil : error
    let wait = error.flatMap { scheduler.backoff(of: token)?($0) }
    driven.after { $0.ended(token, error: error, retryAfter: wait) }
    perform()
    completeTurn()
  }

  /// The closures that execute, those of attempts out of time included.
  var closureTokens: [Token] {
    closures.keys.sorted { ($0.slot, $0.generation) < ($1.slot, $1.generation) }
  }

  /// A closure has returned or thrown, of any run.
  func endClosure(_ token: Token, error: (any Error)?) {
    if let run = closures[token]?.name, tokens[run] == token { forgetExecuting(run) }
    end(token, error: error)
  }

  /// The closure of a run that has settled without it has returned by its token.
  func forgetExecuting(_ run: String) {
    tokens[run] = nil
    executingInOrder.removeAll { $0 == run }
  }

  /// Time passes up to an instant, in milliseconds; what is due on the way happens when it is due.
  func advance(to milliseconds: Int) {
    let target = Duration.milliseconds(milliseconds)
    while let alarm = scheduler.nextAlarm, alarm.deadline <= target {
      clock.now = alarm.deadline
      let wait = scheduler.nextTimeout.flatMap { $0.mayRetry ? scheduler.backoff(of: $0.token)?($0.error) : nil }
      driven.after { $0.fireNextAlarm(retryAfter: wait) }
      perform()
      completeTurn()
    }
    clock.now = target
    driven.after { $0.forgetClosedWindows() }
  }

  /// Time passes and what is due is not checked.
  func oversleep(to milliseconds: Int) {
    clock.now = .milliseconds(milliseconds)
  }

  var now: Duration { clock.now }

  /// A dispatch is cancelled from outside.
  func cancelDispatch(_ number: UInt64) {
    driven.after { $0.cancelDispatch(number) }
    perform()
    completeTurn()
  }

  /// A request is made: an action with a waiter that gets the outcomes of all it causes.
  @discardableResult
  func request(_ effect: (Ledger) -> Effect<String>) -> UInt64 {
    scheduler.collectOutcomes(ofDispatch: latestDispatch + 1)
    let number = perform(effect)
    watch(number)
    return number
  }

  /// A waiter waits for a dispatch; `finished` is noted when it has settled.
  func watch(_ number: UInt64) {
    let waiter = Waiter()
    watchers[ObjectIdentifier(waiter)] = (number, waiter)
    scheduler.watch(number, waiter, from: .none)
    perform()
  }

  /// A run waits for a dispatch, as by `finish()`; returns the circle that this would close, and then it does not wait.
  @discardableResult
  func watch(_ number: UInt64, from run: String) -> [String]? {
    let token = token(of: run)
    if let circle = scheduler.circle(of: token, waitingFor: number) { return circle.map { $0.name ?? "tree" } }
    let waiter = Waiter()
    watchers[ObjectIdentifier(waiter)] = (number, waiter)
    scheduler.watch(number, waiter, from: token)
    perform()
    return nil
  }

  /// Whether a run belongs to a dispatch, and so cannot wait for it.
  func isRun(_ run: String, partOf number: UInt64) -> Bool {
    scheduler.isRun(token(of: run), partOf: number)
  }

  // MARK: - What can be seen

  /// The runs whose closures have started and not returned, cancelled or not.
  var executing: Set<String> { Set(tokens.keys) }

  /// The token of a run that executes.
  func token(of run: String) -> Token {
    guard let token = tokens[run] else {
      Issue.record("\(run) does not execute; \(executing) do")
      return .none
    }
    return token
  }

  /// The work under an id, by name.
  func members(of id: EffectID) -> (running: [String], queued: [String], cancelling: [String]) {
    guard let place = scheduler.names.find(id) else { return ([], [], []) }
    return (names(.active, place), names(.queued, place), names(.cancelling, place))
  }

  /// The status of an id.
  func status(_ id: EffectID) -> EffectStatus { scheduler.status(of: id) }

  /// The run that a dispatch has joined, by name.
  func sharedRun(ofDispatch number: UInt64) -> String? {
    guard let root = scheduler.workTree.dispatch(number) else { return nil }
    for index in scheduler.workTree.members(of: root.slot) {
      if case .joined(let shared) = scheduler.workTree[index], case .run(let operation) = scheduler.workTree[shared] {
        return operation.name
      }
    }
    return nil
  }

  private func names(_ list: NameDirectory.List, _ place: Int32) -> [String] {
    scheduler.names.work(list, at: place).map { index in
      switch scheduler.workTree[index] {
      case .run(let operation): operation.name ?? "?"
      case .tree(_, let label): "tree \(label.id)"
      default: "?"
      }
    }
  }

  /// Checks that nothing remains: no slot, no name, no waiter, no run (rule E2).
  func expectEmpty(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(scheduler.workTree.count == 0, comment, sourceLocation: sourceLocation)
    #expect(scheduler.names.count == 0, comment, sourceLocation: sourceLocation)
    #expect(scheduler.timedCount == 0, comment, sourceLocation: sourceLocation)
    #expect(!scheduler.waits.hasRuns, comment, sourceLocation: sourceLocation)
    #expect(scheduler.waits.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(scheduler.runsByInput.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(scheduler.caught.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(!scheduler.misuse.hasLines, comment, sourceLocation: sourceLocation)
    #expect(watchers.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(executing.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(driven.followUps.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(ledger.living.isEmpty, comment, sourceLocation: sourceLocation)
  }

  // MARK: - The shell

  private func reduce(_ action: String) {
    events.append(.reduced(action))
    driven.reduced(effects(action))
    perform()
  }

  private func completeTurn() {
    // As a store between two inputs, but after every peak, however low.
    defer { _ = scheduler.shrink(above: 0) }
    guard scheduler.turn.isOpen else { return }
    while let action = driven.nextFollowUp() { reduce(action) }
    driven.endTurn()
    perform()
  }

  private func perform() {
    var outputs: [EngineOutput] = []
    scheduler.takeOutputs(into: &outputs)
    for output in outputs {
      switch output {
      case .start(let token, let operation):
        guard let name = start(token, operation) else { continue }
        events.append(scheduler.isRecovering(token) ? .recovered(name) : .started(name))
      case .cancel(let token):
        events.append(.cancelled(closures[token]?.name ?? "?"))
      case .report(let failure) where failure.error is OverlapConflict:
        conflicts.append(failure)
      case .report(let failure) where failure.error is SelfCancellation:
        selfCancellations.append(failure)
      case .report(let failure):
        events.append(.reported(failure.run.name ?? "?"))
      case .settle(let waiter, let collected):
        if let collected { allOutcomes.append(collected) }
        let watcher = watchers.removeValue(forKey: ObjectIdentifier(waiter))
        events.append(.finished(watcher?.number ?? 0))
      case .answer(let waiter, _):
        refused.append(watchers.removeValue(forKey: ObjectIdentifier(waiter))?.number ?? 0)
      case .cutShort, .continueLater, .storeEnded, .shutdownReturns: break
      }
    }
    var garbage: [Released] = []
    swap(&scheduler.released, &garbage)
    garbage = []
    for name in ledger.takeReleased() where everStarted.remove(name) == nil { dropped.append(name) }
  }

  private func start(_ token: Token, _ started: any AnyOperation) -> String? {
    guard let name = started.name else { return nil }
    let operation = Effect<String>.operation(of: started)
    tokens[name] = token
    executingInOrder.append(name)
    closures[token] = operation
    everStarted.insert(name)
    return name
  }
}

/// A clock that moves only when its time is set.
private final class HarnessClock: Sendable {
  private let time = Lock(Duration.zero)

  var now: Duration {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}
