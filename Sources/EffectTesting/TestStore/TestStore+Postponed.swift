// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

// The time modifiers of runs in a test: the scheduler reports what is due when, and the test's clock moves there.
extension TestStore {
  /// Performs the earliest event up to the target: a sleeper wakes, a deadline of the scheduler fires, or a shutdown
  /// reaches its limit. At one instant the events have the order in which they were set (rule C3). Returns `false` if there
  /// is none.
  @inlinable
  func wakeNext() -> Bool {
    // Nearly always there is none.
    guard clock.hasSlept || scheduler.hasAlarms || ending.hasBegun else { return false }
    // The test may have moved the clock itself.
    let limit = max(target, clock.now.offset)
    return scheduler.hasAlarms || ending.hasBegun ? wakeNextOrAlarm(until: limit) : wakeSleeper(until: limit)
  }

  /// Wakes the sleeper that is next. Its task may be one that a run has made.
  @usableFromInline
  func wakeSleeper(until limit: Duration, before number: UInt64 = .max) -> Bool {
    executor.watching { clock.wakeNext(until: limit, before: number) }
  }

  @usableFromInline
  func wakeNextOrAlarm(until limit: Duration) -> Bool {
    guard let alarm = nextDeadline, alarm.time <= limit else { return wakeSleeper(until: limit) }
    if wakeSleeper(until: alarm.time, before: alarm.number) { return true }
    clock.move(to: alarm.time)
    if alarm.endsShutdown { cutShutdown() } else { fireNextAlarm() }
    return true
  }

  /// The first deadline that is no sleeper: the scheduler's, or the limit of a shutdown.
  private var nextDeadline: (time: Duration, number: UInt64, endsShutdown: Bool)? {
    let alarm = scheduler.nextAlarm.map { (time: $0.deadline, number: $0.number, endsShutdown: false) }
    guard let limit = ending.limits.first, limit.time < .never else { return alarm }
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
      turn.ended = runs[token]
      turn.isExcused = runs[token]?.isExcused ?? false
    }
    let cause = turn.ended?.cause
    handle(.deadline) { turn.ended?.stop = .timeout }
    if scheduler.hasAlarms { noteOrigins(cause) }
    if !engine.isTurnOpen { turn = TurnRecord() }
  }

  /// The next instant at which something is due.
  var nextInstant: TestClock.Instant? {
    guard scheduler.hasAlarms || ending.hasBegun, let alarm = nextDeadline else { return clock.nextDeadline }
    let due = TestClock.Instant(offset: alarm.time)
    return clock.nextDeadline.map { min($0, due) } ?? due
  }

  /// Whether no closure executes and no run waits for its time.
  var isIdle: Bool { runs.isEmpty && !scheduler.hasAlarms }

  // MARK: - For failure texts

  /// Keeps the origin of each run that waits for its time.
  @usableFromInline
  func noteOrigins(_ cause: (any Sendable)?) {
    runs.noteOrigins(ofWaiting: scheduler.postponed.map(\.token), startedBy: cause, in: turn)
  }

  /// Keeps the origin of each run that starts when the open turn has ended.
  @inlinable
  func noteStarts() { runs.noteOrigins(ofStarts: scheduler.outputs, in: &turn) }

  /// The runs that wait for their time, ordered by time.
  var postponed: [InFlight.Run] {
    guard scheduler.hasAlarms else { return [] }
    return scheduler.postponed.map { token, run, attempts, until in
      InFlight.Run(
        token: token, run: run, cause: runs.origin(of: token)?.cause.map { $0 as Any },
        wakes: TestClock.Instant(offset: until), awaited: nil, missed: nil, isCancelled: false,
        isExcused: runs.origin(of: token)?.isExcused ?? false, postponed: attempts == 0 ? .toStart : .toTryAgain)
    }
  }
}
