// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Time

extension Store {
  /// Reports the first deadline to the engine if it has come; `false` otherwise. Called when all that was taken out of the mailbox
  /// has been handled, and before more is taken: what is due comes before that (rule C3).
  @usableFromInline
  func fireDueDeadline() -> Bool {
    guard let next = core.value.engine.interpreter.nextAlarm, next.deadline <= mailbox.time.now else { return false }
    if core.value.outlet.isTimed { core.value.outlet.now = mailbox.now }
    cancelTasks()
    handle(.deadline)
    return true
  }

  /// The timer has fired, or failed. This only wakes the store: `fireDueDeadline` has reported the deadline itself before this
  /// message was taken.
  func timeCame(_ number: UInt64, _ error: (any Error)?) {
    guard let timer = activity.value.timer, timer.number == number else { return }
    let now = mailbox.time.now
    // Without an error it may be early, but not at once: another one would be as well, for ever.
    guard error != nil || now < timer.deadline && now == timer.begun else {
      activity.value.timer = nil
      return
    }
    activity.value.timer?.hasFailed = true
    handle(.clockFailed(error))
  }

  /// A slice is over: sees to it that the store comes back for its next deadline, and not for one that was removed.
  ///
  /// A timer that goes off too early costs a look at the clock, so it stays as it is when a deadline moves away, as it does
  /// with every key that is pressed before a debounced search.
  func setTimer() {
    handle(.timePassed)
    guard let deadline = core.value.engine.interpreter.nextAlarm?.deadline else {
      activity.value.timer?.task.cancel()
      activity.value.timer = nil
      return
    }
    if let timer = activity.value.timer, timer.hasFailed ? timer.deadline == deadline : timer.deadline <= deadline {
      return
    }
    activity.value.timer?.task.cancel()
    timersSet += 1
    let (number, begun) = (timersSet, mailbox.time.now)
    // It holds the mailbox and not the store (rule E7).
    let task = Task.detached(priority: .ofDrains) { [mailbox] in
      do {
        try await mailbox.time.sleep(until: deadline)
        mailbox.post(.timeCame(number))
      } catch {
        if !Task.isCancelled { mailbox.post(.timeCame(number, error)) }
      }
    }
    activity.value.timer = StoreTimer(number: number, deadline: deadline, begun: begun, task: task)
  }
}
