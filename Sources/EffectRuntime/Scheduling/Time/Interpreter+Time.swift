// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Time

extension Interpreter {
  /// Whether something is to happen at a moment to come: a shell then has to come back in time.
  @inlinable
  package var hasAlarms: Bool { _read { yield registry.hasAlarms } }

  /// Whether time changes anything at all, be it only what is remembered.
  @inlinable
  var hasTimedWork: Bool { _read { yield registry.hasTimedWork } }

  /// What happens next by itself, and when; the shell is to call ``fireNextAlarm(mayRetry:)`` then.
  package var nextAlarm: Alarm? { registry.timing.alarms.first }

  /// The time limit that the next alarm means for an attempt; `nil` if it means something else.
  package var nextTimeout: (token: Token, error: EffectTimeout)? { registry.nextTimeout }

  /// The condition of a user's retry, if an error of this run may lead to another attempt.
  ///
  /// It is user code, so the shell calls it, while nothing of the interpreter is being touched, and hands the answer to
  /// ``ended(_:error:mayRetry:)`` or ``fireNextAlarm(mayRetry:)``.
  @usableFromInline
  package func retryCondition(of token: Token) -> (@Sendable (any Error) -> Bool)? {
    registry.retryCondition(of: token)
  }

  /// The moment of the next alarm has come. Does nothing before it.
  package mutating func fireNextAlarm(mayRetry: Bool) {
    registry.fireNextAlarm(mayRetry: mayRetry)
    goOn()
  }

  /// Forgets windows that have ended without anybody waiting for it.
  @usableFromInline
  package mutating func forgetClosedWindows() {
    guard !registry.timing.closings.isEmpty else { return }
    registry.forgetClosedWindows(registry.timing.now())
    goOn()
  }

  /// Who waits for its time, and until when: for a window or delay, or for the next attempt; in the order of these.
  package var postponed: [(token: Token, run: EffectRun, until: Duration)] {
    registry.postponed.compactMap { token, until in description(of: token).map { (token, $0, until) } }
      .sorted { $0.until < $1.until }
  }

  /// A run that the next alarm is for, for whoever must tell that it will not go off.
  var nextWaiting: EffectRun? {
    if let limited = nextTimeout?.token, let run = description(of: limited) { return run }
    return postponed.first?.run
  }

  /// How much is remembered because of time modifiers; for tests of the promise that it returns to nothing.
  package var timedCount: Int {
    let timing = registry.timing
    return timing.alarms.count + timing.closings.count + timing.alarmOf.count + timing.windows.count
      + timing.attempts.count + timing.abandoned.count
  }
}
