// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Scheduler {
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
