// This source file is part of swift-effects. License: Apache-2.0.

extension Explorer {
  /// Runs one schedule, from its text.
  nonisolated(nonsending) func replay(_ text: String, _ body: Body) async {
    if failLimits() { return }
    let (level, steps, stranger) = ScheduleStep.schedule(in: text)
    guard let steps else {
      isUnfit = true
      failureText = FailureText.noSchedule(text, stranger ?? "")
      result.failure = ""
      return
    }
    runner.settings = settings
    let played = await account(of: ReplayedSchedule(steps), level, takesNotes: true, body)
    result.schedules = 1
    if failMisuse() { return }
    result.isReplay = true
    if played.ending == .cut {
      result.cut = 1
      noteLimit()
    }
    let replayed = played.strategy as? ReplayedSchedule
    if let misfit = replayed?.misfit {
      isUnfit = true
      failureText = FailureText.misfit(steps, misfit)
      result.failure = played.text
    } else if let violation = played.violation {
      result.failures = 1
      fail(violation, played, found: nil)
    } else if failRestless() {
      return
    } else if steps.isEmpty {
      failureText = FailureText.emptySchedule
      result.failure = ""
    } else if let number = replayed?.unplayed {
      isUnfit = result.limits.isEmpty
      failureText = FailureText.unplayed(steps, number, result.limits)
      result.failure = played.text
    } else if let unseen = played.unseen {
      failureText = FailureText.unseen(unseen, result)
      result.failure = played.text
    }
  }
}
