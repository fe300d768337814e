// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Registry {
  /// To be called when alarms or closings have changed. The answers are stored, because a store asks for them after
  /// every action.
  mutating func noteAlarms() {
    hasAlarms = !timing.alarms.isEmpty
    hasTimedWork = hasAlarms || !timing.closings.isEmpty
  }

  /// Something happens to a slot's work at a moment to come.
  mutating func setAlarm(after wait: Duration, of index: Int32, for purpose: Timing.Purpose) {
    let alarm = Alarm(deadline: timing.now().adding(wait), number: timing.number())
    setAlarm(alarm, of: index, for: purpose)
  }

  mutating func setAlarm(_ alarm: Alarm, of index: Int32, for purpose: Timing.Purpose) {
    timing.alarms.set(alarm, for: purpose)
    timing.alarmOf[index] = alarm.number
    slots[index].isTimed = true
    noteAlarms()
  }

  mutating func clearAlarm(of index: Int32) {
    guard let number = timing.alarmOf.removeValue(forKey: index) else { return }
    timing.alarms.cancel(number)
    noteAlarms()
  }

  /// The first alarm goes off, if its moment has come. Opens a turn where something follows from it.
  mutating func fireNextAlarm(mayRetry: Bool) {
    let now = timing.now()
    forgetClosedWindows(now)
    guard let purpose = timing.alarms.takeFirst(dueBy: now) else { return }
    noteAlarms()
    switch purpose {
    case .start(let token):
      timing.alarmOf[token.slot] = nil
      openTurn(root: slots[token.slot].root)
      goOnWaiting(token.slot)
    case .windowEnd(let place):
      guard let index = timing.windows[place]?.throttled, index >= 0 else { return }
      openTurn(root: slots[index].root)
      windowEnded(at: place, now)
    case .limit(let token):
      timing.alarmOf[token.slot] = nil
      openTurn(of: token.slot)
      timeOut(token.slot, mayRetry: mayRetry)
    case .attempt(let token):
      timing.alarmOf[token.slot] = nil
      startAttempt(token.slot)
    }
  }
}
