// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Time

extension Store {
  /// Reports the first deadline to the engine if it has passed; `false` otherwise. Called when all messages taken out
  /// of the mailbox have been handled, and before more are taken: a due deadline comes before them (rule C3).
  @usableFromInline
  func fireDueDeadline() -> Bool {
    guard let next = core.value.engine.scheduler.nextAlarm, next.deadline <= mailbox.time.now else { return false }
    handOver(at: .goesOn)
    if core.value.outlet.isTimed { core.value.outlet.now = mailbox.now }
    handleOther(.deadline)
    return true
  }

  /// The timer has fired, or failed. This only wakes the store: `fireDueDeadline` reports the deadline itself, before this
  /// message is taken or in the next step.
  func timeCame(_ number: UInt64, _ error: (any Error)?) {
    guard let timer = activity.value.timer, timer.number == number else { return }
    let now = mailbox.time.now
    // Without an error the timer may be early. But if it returned at once, another timer would do the same, for ever.
    let isFailure = error != nil || now < timer.deadline && now == timer.begun
    guard isFailure, core.value.engine.scheduler.nextAlarm != nil else {
      activity.value.timer = nil
      return
    }
    activity.value.timer?.hasFailed = true
    handleOther(.clockFailed(ClockFailure(.wait, error: error)))
  }

  /// Sets the timer at the end of a slice, so that the store is woken for its next deadline.
  ///
  /// A timer that fires too early costs only one wake. So a timer stays as it is when the next deadline moves to a
  /// later time, as happens with every key press before a debounced search. Without a deadline it ends, but a sleep of the
  /// system's clock stays: cancelled, it would keep its memory until its time, for each run that ends before its timeout.
  func setTimer() {
    handleOther(.timePassed)
    guard let deadline = core.value.engine.scheduler.nextAlarm?.deadline else {
      if mailbox.time.keepsCancelledSleeps { return }
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
    // It holds the mailbox, not the store (rule E7).
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
