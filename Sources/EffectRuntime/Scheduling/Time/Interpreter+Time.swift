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

  /// The run that runs out of time at the next alarm, the error, and whether another attempt may follow; `nil` if the alarm
  /// has another purpose.
  package var nextTimeout: (token: Token, error: EffectTimeout, mayRetry: Bool)? { scheduler.nextTimeout }

  /// What decides about another attempt, if an error of this run may lead to one.
  ///
  /// It may be user code. The engine calls it before anything is changed, and passes the result to
  /// ``ended(_:error:retryAfter:)`` or ``fireNextAlarm(retryAfter:)``.
  @usableFromInline
  package func backoff(of token: Token) -> (@Sendable (any Error) -> Duration?)? {
    scheduler.backoff(of: token)
  }

  /// The error that a closure has ended with, or that it has not failed; see ``Scheduler/failure(_:of:)``.
  @usableFromInline
  package func failure(_ error: any Error, of token: Token) -> (any Error)? { scheduler.failure(error, of: token) }

  /// The moment of the next alarm has come: does what the alarm is for. Does nothing before that moment.
  ///
  /// - Parameter wait: when the next attempt follows if the alarm is the time limit of one; `nil` if none does.
  package mutating func fireNextAlarm(retryAfter wait: Duration?) {
    scheduler.fireNextAlarm(retryAfter: wait)
    goOn()
  }

  /// Removes windows that have ended and that nothing waited for.
  @usableFromInline
  package mutating func forgetClosedWindows() {
    guard scheduler.time.hasUnawaitedWindows else { return }
    scheduler.forgetClosedWindows(scheduler.time.now())
    goOn()
  }

  /// What waits for its time, and until when: for a window or delay, for the next attempt, or for the end of all attempts;
  /// in the order of these moments.
  package var postponed: [(token: Token, run: EffectRun, until: Duration)] {
    scheduler.time.postponed { scheduler.workTree.token($0) }
      .filter { scheduler.workTree.phase(of: $0.token.slot) != .running }
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
