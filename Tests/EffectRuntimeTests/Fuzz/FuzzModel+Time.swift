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
        // All that are due at one instant go before anything that the first of them causes (rule C3).
        while let next = model.nextAlarm, next.due <= model.now { model.fireNextAlarm() }
        if let sleeper, sleeper.due == model.now, freesPlace || woken.contains(where: \.isSend) {
          model.hasFreedom = true
        }
      } else if let sleeper, sleeper.due <= target, sleeper.due <= limit(target) {
        model.now = sleeper.due
        if sleeper.closure.isTimer, isMet(sleeper.closure, at: sleeper.due) { model.hasFreedom = true }
        if !sleeper.closure.isTimer { sleeper.closure.position += 1 }
        wake(sleeper.closure)
      } else if limit(target) < target || limit(target) == target && isDrainingUntil(target) {
        model.now = limit(target)
        expire()
      } else {
        break
      }
    }
    model.now = target
  }

  /// An exclusive closure was cancelled by a time limit, and will return. Does it return before or after another
  /// closure, which wakes now, sends?
  private var freesPlace: Bool { woken.contains { $0.isCancelled && $0.node.isAwaited } }

  /// Timers that begin at one moment: the order in which they go to sleep is not promised.
  private func isMet(_ timer: Closure, at instant: Duration) -> Bool {
    closures.contains { other in
      if case .asleep(instant, _) = other.state { other !== timer && other.isTimer } else { false }
    }
  }

  /// A drain has an end, which comes like the end of a sleep.
  private func limit(_ target: Duration) -> Duration {
    if case .draining(let until?) = ending { min(until, target) } else { target }
  }

  private func isDrainingUntil(_ instant: Duration) -> Bool {
    if case .draining(let until?) = ending { until == instant } else { false }
  }
}
