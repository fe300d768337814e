// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Time

extension Store {
  /// Lets the first alarm go off if it is due; `false` if none is. Called before anything that waits is taken: what is due
  /// comes before it (rule C3).
  @usableFromInline
  func fireDueAlarm() -> Bool {
    guard let next = core.value.interpreter.nextAlarm, next.deadline <= mailbox.time.now else { return false }
    cancelTasks()
    var mayRetry = false
    // In two steps: the condition is user code.
    if let (token, error) = core.value.interpreter.nextTimeout,
      let condition = core.value.interpreter.retryCondition(of: token)
    {
      mayRetry = condition(error)
    }
    looking { core.value.interpreter.fireNextAlarm(mayRetry: mayRetry) }
    perform()
    if core.value.interpreter.isTurnOpen { endTurnIfDone() }
    return true
  }

  /// The timer has gone off, or failed to. What is due goes off before anything that waits is taken, and so has by now.
  @usableFromInline
  func timeCame(_ number: UInt64, _ error: (any Error)?) {
    guard let timer = activity.value.timer, timer.number == number else { return }
    let now = mailbox.time.now
    // Without an error it may be early, but not at once: another one would be as well, for ever.
    guard error != nil || now < timer.deadline && now == timer.begun else {
      activity.value.timer = nil
      return
    }
    cancelTasks()
    activity.value.timer?.hasFailed = true
    guard let run = core.value.interpreter.nextWaiting else { return }
    onFailure(EffectFailure(error: ClockFailure(error: error), run: run))
  }

  /// A slice is over: sees to it that the store comes back for its next alarm, and not for one that is gone.
  ///
  /// A timer that goes off too early costs a look at the clock, so it stays as it is when a deadline moves away, as it does
  /// with every key that is pressed before a debounced search.
  func setTimer() {
    looking { core.value.interpreter.forgetClosedWindows() }
    guard let deadline = core.value.interpreter.nextAlarm?.deadline else {
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
