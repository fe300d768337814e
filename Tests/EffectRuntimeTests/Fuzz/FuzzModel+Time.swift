// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

extension FuzzModel {
  func advance(to target: Duration) {
    while !isAbandoned {
      settle()
      var sleeper: (due: Duration, order: Int, closure: Closure)?
      for closure in closures {
        guard case .asleep(let due, let order) = closure.state else { continue }
        if let first = sleeper, (first.due, first.order) < (due, order) { continue }
        sleeper = (due, order, closure)
      }
      if let alarm = model.nextAlarm, alarm.due <= target, alarm.due <= sleeper?.due ?? target,
        alarm.due <= limit(target)
      {
        model.now = alarm.due
        model.fireNextAlarm()
      } else if let sleeper, sleeper.due <= target, sleeper.due <= limit(target) {
        model.now = sleeper.due
        if !sleeper.closure.isTimer { sleeper.closure.position += 1 }
        wake(sleeper.closure)
      } else if limit(target) < target || limit(target) == target && isDrainingUntil(target) {
        model.now = limit(target)
        cut()
      } else {
        break
      }
    }
    model.now = target
  }

  /// A drain has an end, which comes like that of a sleep.
  private func limit(_ target: Duration) -> Duration {
    if case .draining(let until?) = ending { min(until, target) } else { target }
  }

  private func isDrainingUntil(_ instant: Duration) -> Bool {
    if case .draining(let until?) = ending { until == instant } else { false }
  }
}
