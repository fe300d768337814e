// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

extension Scheduler {
  /// Whether something is to happen at a later moment: a shell must then report that moment in time.
  @inlinable
  package var hasAlarms: Bool { _read { yield time.hasAlarms } }

  /// Whether the passing of time changes anything, also if only a window is removed.
  @inlinable
  var hasTimedWork: Bool { _read { yield time.hasMoments } }

  /// What happens next by itself, and when. The shell then reports ``Engine/Input/deadline``.
  package var nextAlarm: Alarm? { time.nextAlarm }

  /// What waits for its time, and until when: for a window or delay, for the next attempt, or for the end of all attempts;
  /// in the order of these moments. `attempts` is how many it has made.
  package var postponed: [(token: Token, run: EffectRun, attempts: Int, until: Duration)] {
    time.postponed { workTree.token($0) }
      .filter { workTree.phase(of: $0.token.slot) != .running }
      .compactMap { token, until in
        description(of: token).map { (token, $0, attempts.made(by: token.slot) ?? 0, until) }
      }
      .sorted { $0.until < $1.until }
  }

  /// A run that the next alarm is for. It is named in a report that the clock fails.
  var nextWaiting: EffectRun? {
    if let limited = nextTimeout?.token, let run = description(of: limited) { return run }
    return postponed.first?.run
  }

  /// How much is kept because of time modifiers; for tests that nothing is kept in the end.
  package var timedCount: Int { time.count + attempts.count }

  /// Sets the alarm of a slot, which has none.
  mutating func setAlarm(after wait: Duration, of index: Int32, for purpose: TimedWork.Purpose) {
    time.setAlarm(after: wait, of: index, for: purpose)
    workTree.setTimed(index)
  }

  /// Does what the first alarm is for, if its moment has come. Opens a turn, except for a further attempt.
  mutating func fireNextAlarm(retryAfter wait: Duration?) {
    let now = time.now()
    forgetClosedWindows(now)
    let timeout = nextTimeout
    guard let purpose = time.takeAlarm(dueBy: now) else { return }
    switch purpose {
    case .start(let token):
      openTurn(root: workTree.root(of: token.slot))
      goOnWaiting(token.slot)
    case .windowEnd(let place):
      guard let index = time.throttled(at: place) else { return }
      openTurn(root: workTree.root(of: index))
      if let index = time.endThrottle(at: place, now) { passed(index) }
    case .limit(let token), .wholeLimit(let token):
      openTurn(of: token.slot)
      if let timeout { timeOut(token.slot, timeout.error, retryAfter: wait) }
    case .attempt(let token):
      startAttempt(token.slot)
    }
  }
}
