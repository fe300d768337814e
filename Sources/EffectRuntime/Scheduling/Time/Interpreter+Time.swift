// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Time

extension Interpreter {
  /// Whether something is to happen at a later moment: a shell must then report that moment in time.
  @inlinable
  package var hasAlarms: Bool { _read { yield scheduler.time.hasAlarms } }

  /// Whether the passing of time changes anything, also if only a window is removed.
  @inlinable
  var hasTimedWork: Bool { _read { yield scheduler.time.hasMoments } }

  /// What happens next by itself, and when. The shell then reports ``Engine/Input/deadline``.
  package var nextAlarm: Alarm? { scheduler.time.nextAlarm }

  /// The attempt that runs out of time at the next alarm, and the error; `nil` if the alarm has another purpose.
  package var nextTimeout: (token: Token, error: EffectTimeout)? { scheduler.nextTimeout }

  /// The condition of a user's retry, if an error of this run may lead to another attempt.
  ///
  /// It is user code. The engine calls it before anything is changed, and passes the result to
  /// ``ended(_:error:mayRetry:)`` or ``fireNextAlarm(mayRetry:)``.
  @usableFromInline
  package func retryCondition(of token: Token) -> (@Sendable (any Error) -> Bool)? {
    scheduler.retryCondition(of: token)
  }

  /// The moment of the next alarm has come: does what the alarm is for. Does nothing before that moment.
  ///
  /// - Parameter mayRetry: whether the condition of the user's retry allows another attempt, if the alarm is a time
  ///   limit.
  package mutating func fireNextAlarm(mayRetry: Bool) {
    scheduler.fireNextAlarm(mayRetry: mayRetry)
    goOn()
  }

  /// Removes windows that have ended and that nothing waited for.
  @usableFromInline
  package mutating func forgetClosedWindows() {
    guard scheduler.time.hasUnawaitedWindows else { return }
    scheduler.forgetClosedWindows(scheduler.time.now())
    goOn()
  }

  /// What waits for its time, and until when: for a window or delay, or for the next attempt; in the order of these
  /// moments.
  package var postponed: [(token: Token, run: EffectRun, until: Duration)] {
    scheduler.time.postponed { scheduler.workTree.token($0) }
      .compactMap { token, until in description(of: token).map { (token, $0, until) } }
      .sorted { $0.until < $1.until }
  }

  /// A run that the next alarm is for. It is named in a report that the clock fails.
  var nextWaiting: EffectRun? {
    if let limited = nextTimeout?.token, let run = description(of: limited) { return run }
    return postponed.first?.run
  }

  /// How much is kept because of time modifiers; for tests that nothing is kept in the end.
  package var timedCount: Int { scheduler.time.count + scheduler.attempts.count }
}
