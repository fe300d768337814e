// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Time

extension Interpreter {
  /// Whether something is to happen at a moment to come: a shell then has to come back in time.
  @inlinable
  package var hasAlarms: Bool { _read { yield scheduler.time.hasAlarms } }

  /// Whether time changes anything at all, be it only what is remembered.
  @inlinable
  var hasTimedWork: Bool { _read { yield scheduler.time.hasMoments } }

  /// What happens next by itself, and when. The shell then reports ``Engine/Input/deadline``.
  package var nextAlarm: Alarm? { scheduler.time.nextAlarm }

  /// The time limit that the next alarm means for an attempt; `nil` if it means something else.
  package var nextTimeout: (token: Token, error: EffectTimeout)? { scheduler.nextTimeout }

  /// The condition of a user's retry, if an error of this run may lead to another attempt.
  ///
  /// It is user code. The engine calls it before anything is changed, and passes the answer to ``ended(_:error:mayRetry:)`` or
  /// ``fireNextAlarm(mayRetry:)``.
  @usableFromInline
  package func retryCondition(of token: Token) -> (@Sendable (any Error) -> Bool)? {
    scheduler.retryCondition(of: token)
  }

  /// The moment of the next alarm has come. Does nothing before it.
  package mutating func fireNextAlarm(mayRetry: Bool) {
    scheduler.fireNextAlarm(mayRetry: mayRetry)
    goOn()
  }

  /// Forgets windows that have ended and that nothing waited for.
  @usableFromInline
  package mutating func forgetClosedWindows() {
    guard scheduler.time.hasUnawaitedWindows else { return }
    scheduler.forgetClosedWindows(scheduler.time.now())
    goOn()
  }

  /// What waits for its time, and until when: for a window or delay, or for the next attempt; in the order of these.
  package var postponed: [(token: Token, run: EffectRun, until: Duration)] {
    scheduler.time.postponed { scheduler.workTree.token($0) }
      .compactMap { token, until in description(of: token).map { (token, $0, until) } }
      .sorted { $0.until < $1.until }
  }

  /// A run that the next alarm is for, for a report that it will not go off.
  var nextWaiting: EffectRun? {
    if let limited = nextTimeout?.token, let run = description(of: limited) { return run }
    return postponed.first?.run
  }

  /// How much is remembered because of time modifiers; for tests of the promise that it returns to nothing.
  package var timedCount: Int { scheduler.time.count + scheduler.attempts.count }
}
