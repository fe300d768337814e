// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// What the time modifiers of runs mean to a test: the interpreter says what is due when, and the test's clock moves there.
extension TestStore {
  /// What comes first up to the target happens: a sleeper wakes, or something the interpreter waits for is due. At one
  /// instant in the order in which they were set (rule C3).
  @inlinable
  func wakeNext() -> Bool {
    // The test may have moved the clock itself.
    let limit = max(target, clock.now.offset)
    return interpreter.hasAlarms ? wakeNextOrAlarm(until: limit) : clock.wakeNext(until: limit)
  }

  @usableFromInline
  func wakeNextOrAlarm(until limit: Duration) -> Bool {
    guard let alarm = interpreter.nextAlarm, alarm.deadline <= limit else { return clock.wakeNext(until: limit) }
    if clock.wakeNext(until: alarm.deadline, before: alarm.number) { return true }
    clock.move(to: alarm.deadline)
    fireNextAlarm()
    return true
  }

  /// Whether something the interpreter waits for is due now.
  @usableFromInline
  var isAlarmDue: Bool {
    guard let alarm = interpreter.nextAlarm else { return false }
    return alarm.deadline <= clock.now.offset
  }

  @usableFromInline
  func fireNextAlarm() {
    if let (token, _) = interpreter.nextTimeout {
      turn.ended = running[token]
      turn.isExcused = running[token]?.isExcused ?? false
    }
    let cause = turn.ended?.cause
    handle(.deadline) { turn.ended?.stop = .timeout }
    if interpreter.hasAlarms { noteOrigins(cause) }
    if !interpreter.isTurnOpen { turn = TurnRecord() }
  }

  /// The next instant at which anything happens.
  var nextInstant: TestClock.Instant? {
    guard interpreter.hasAlarms, let alarm = interpreter.nextAlarm else { return clock.nextDeadline }
    let due = TestClock.Instant(offset: alarm.deadline)
    return clock.nextDeadline.map { min($0, due) } ?? due
  }

  /// Whether no closure executes and no run waits for its time.
  var isIdle: Bool { running.isEmpty && !interpreter.hasAlarms }

  // MARK: - For failure texts

  /// Remembers where those come from who wait since the input at hand.
  @usableFromInline
  func noteOrigins(_ cause: (any Sendable)?) {
    let waiting = interpreter.postponed.map(\.token)
    origins = origins.filter { waiting.contains($0.key) }
    for token in waiting where origins[token] == nil {
      origins[token] = RunOrigin(cause: cause, isExcused: turn.isExcused)
    }
  }

  /// Where a run comes from that starts now.
  @inlinable
  func origin(of token: Token) -> RunOrigin {
    if !origins.isEmpty, let origin = origins.removeValue(forKey: token) { return origin }
    var cause = turn.current
    // The catch closure, or the next attempt, of a run that has just failed.
    if cause == nil, let ended = turn.ended, ended.token.slot == token.slot { cause = ended.cause }
    return RunOrigin(cause: cause, isExcused: turn.isExcused)
  }

  /// The runs that wait for their time, in its order.
  var postponed: [InFlight.Run] {
    guard interpreter.hasAlarms else { return [] }
    return interpreter.postponed.map { token, run, until in
      InFlight.Run(
        token: token, run: run, cause: origins[token]?.cause.map { $0 as Any },
        wakes: TestClock.Instant(offset: until), missed: nil, isCancelled: false,
        isExcused: origins[token]?.isExcused ?? false, isPostponed: true)
    }
  }
}

/// Where a run comes from that starts only later.
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
