// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// The time modifiers of runs in a test: the scheduler reports what is due when, and the test's clock moves there.
extension TestStore {
  /// Performs the earliest event up to the target: a sleeper wakes, a deadline of the scheduler fires, or a shutdown
  /// reaches its limit. At one instant the events have the order in which they were set (rule C3). Returns `false` if there
  /// is none.
  @inlinable
  func wakeNext() -> Bool {
    // Nearly always there is none.
    guard clock.hasSlept || scheduler.hasAlarms || isShutDown else { return false }
    // The test may have moved the clock itself.
    let limit = max(target, clock.now.offset)
    return scheduler.hasAlarms || isShutDown ? wakeNextOrAlarm(until: limit) : clock.wakeNext(until: limit)
  }

  @usableFromInline
  func wakeNextOrAlarm(until limit: Duration) -> Bool {
    guard let alarm = nextDeadline, alarm.time <= limit else { return clock.wakeNext(until: limit) }
    if clock.wakeNext(until: alarm.time, before: alarm.number) { return true }
    clock.move(to: alarm.time)
    if alarm.endsShutdown { cutShutdown() } else { fireNextAlarm() }
    return true
  }

  /// The first deadline that is no sleeper: the scheduler's, or the limit of a shutdown.
  private var nextDeadline: (time: Duration, number: UInt64, endsShutdown: Bool)? {
    let alarm = scheduler.nextAlarm.map { (time: $0.deadline, number: $0.number, endsShutdown: false) }
    guard let limit = ending.limit else { return alarm }
    if let alarm, (alarm.time, alarm.number) < (limit.time, limit.number) { return alarm }
    return (limit.time, limit.number, true)
  }

  /// Whether a deadline of the scheduler is due now.
  @usableFromInline
  var isAlarmDue: Bool {
    guard let alarm = scheduler.nextAlarm else { return false }
    return alarm.deadline <= clock.now.offset
  }

  @usableFromInline
  func fireNextAlarm() {
    if let token = scheduler.nextTimeout?.token {
      turn.ended = running[token]
      turn.isExcused = running[token]?.isExcused ?? false
    }
    let cause = turn.ended?.cause
    handle(.deadline) { turn.ended?.stop = .timeout }
    if scheduler.hasAlarms { noteOrigins(cause) }
    if !engine.isTurnOpen { turn = TurnRecord() }
  }

  /// The next instant at which something is due.
  var nextInstant: TestClock.Instant? {
    guard scheduler.hasAlarms || isShutDown, let alarm = nextDeadline else { return clock.nextDeadline }
    let due = TestClock.Instant(offset: alarm.time)
    return clock.nextDeadline.map { min($0, due) } ?? due
  }

  /// Whether no closure executes and no run waits for its time.
  var isIdle: Bool { running.isEmpty && !scheduler.hasAlarms }

  // MARK: - For failure texts

  /// Keeps the origin of each run that waits for its time. Runs without an origin are new with the current input.
  @usableFromInline
  func noteOrigins(_ cause: (any Sendable)?) {
    let waiting = scheduler.postponed.map(\.token)
    // While runs wait for the end of the turn, their origins are kept as well.
    if turn.starts == 0 { origins = origins.filter { waiting.contains($0.key) } }
    for token in waiting where origins[token] == nil {
      origins[token] = RunOrigin(cause: cause, isExcused: turn.isExcused)
    }
  }

  /// Keeps the origin of each run that starts when the open turn has ended.
  @inlinable
  func noteStarts() {
    let outputs = scheduler.outputs
    for output in outputs.dropFirst(turn.starts) {
      switch output {
      case .start(let token, _), .startCatch(let token, _, _):
        if origins[token] == nil { origins[token] = startingNow(token) }
      default: break
      }
    }
    turn.starts = outputs.count
  }

  /// The origin of a run that starts now.
  @inlinable
  func origin(of token: Token) -> RunOrigin {
    if !origins.isEmpty, let origin = origins.removeValue(forKey: token) { return origin }
    return startingNow(token)
  }

  /// The origin of a run that the action or event at hand starts.
  @inlinable
  func startingNow(_ token: Token) -> RunOrigin {
    var cause = turn.current
    // The catch closure, or the next attempt, of a run that has just failed.
    if cause == nil, let ended = turn.ended, ended.token.slot == token.slot { cause = ended.cause }
    // The catch closure of a run that was out of time while it waited for its next attempt.
    if cause == nil, let waited = origins.keys.first(where: { $0.slot == token.slot }) {
      return origins.removeValue(forKey: waited) ?? RunOrigin(cause: nil, isExcused: turn.isExcused)
    }
    return RunOrigin(cause: cause, isExcused: turn.isExcused)
  }

  /// The runs that wait for their time, ordered by time.
  var postponed: [InFlight.Run] {
    guard scheduler.hasAlarms else { return [] }
    return scheduler.postponed.map { token, run, until in
      InFlight.Run(
        token: token, run: run, cause: origins[token]?.cause.map { $0 as Any },
        wakes: TestClock.Instant(offset: until), awaited: nil, missed: nil, isCancelled: false,
        isExcused: origins[token]?.isExcused ?? false, isPostponed: true)
    }
  }
}

/// The origin of a run. It is kept while the run waits for its time.
@usableFromInline
struct RunOrigin {
  /// The action whose effect it is.
  @usableFromInline let cause: (any Sendable)?
  @usableFromInline let isExcused: Bool

  @inlinable
  init(cause: (any Sendable)?, isExcused: Bool) {
    self.cause = cause
    self.isExcused = isExcused
  }
}
