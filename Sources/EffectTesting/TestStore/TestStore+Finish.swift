// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Finishing

extension TestStore {
  /// Ends the test: the test must have received each action that has arrived, and each run must have ended.
  ///
  /// Waits for runs that are suspended outside of the test's control, at most ``externalWait``. What is still in flight
  /// then, or sleeps on the test's clock, is a failure, and is cancelled. A store without any step is a failure as
  /// well, because it has proved nothing. A step after `finish()` is a failure and does nothing.
  ///
  /// - Parameters:
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func finish(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let isUnused = !hasSteps
    guard begin("finish()", at: location, isReceive: true) else { return }
    if isUnused, !reportedFailures.hasFailures { report(FailureText.noStep, at: location) }
    let limit = waitLimit
    while true {
      requireNothingHeld("finish()", at: location)
      if answerEarlyCalls() { continue }
      guard isWorthWaitingFor, await arrival(before: limit) else { break }
    }
    let left = unexplained.only { !$0.isCancelled }
    let stubborn = unexplained.only(\.isCancelled)
    if !left.isEmpty {
      if exhaustivity.isOn { report(FailureText.inFlight(left) + unmatchedHint(left), at: location) }
      note(FailureText.skippedInFlight(left), at: location)
    } else if exhaustivity.isOn, isIdle, !left.strangers.isEmpty, !reportedFailures.hasFailures {
      report(FailureText.strangers(left), at: location)
    }
    if !stubborn.isEmpty { report(FailureText.ignoresCancellation(stubborn), at: location) }
    cancelAll()
    reportKeptFailures()
    isFinished = true
  }

  /// Whether a run outside of the test's control would make `finish()` fail.
  private var isWorthWaitingFor: Bool {
    guard isAnyParked else { return false }
    return unexplained.runs.contains { $0.isOutside && (exhaustivity.isOn || $0.isCancelled) }
  }

  /// Cancels every run and queue, as a feature's `.cancel(.everything)` would, and lets the closures return.
  ///
  /// - Ordering: a step like any other: an action that is held must be received first.
  /// - Errors: it is a failure if nothing is in flight, unless ``exhaustivity`` is off. A closure that ignores its
  ///   cancellation is a failure at ``finish(isolation:fileID:filePath:line:column:)``.
  /// - Parameters:
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func cancelInFlight(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("cancelInFlight()", at: location) else { return }
    requireNothingHeld("cancelInFlight()", at: location)
    if exhaustivity.isOn, isIdle, !reportedFailures.hasFailures {
      report(FailureText.nothingToCancel, at: location)
    }
    cancelAll(by: "`cancelInFlight()`")
    executeWhatIsDue()
  }

  /// Called when the store is released without `finish()`. Reports what `finish()` would report about actions and runs, but
  /// does not wait for runs.
  func reportUnfinished() {
    if !hasSteps, !reportedFailures.hasFailures {
      report(FailureText.noStepBeforeRelease, at: location)
      return
    }
    goOn()
    let left = unexplained
    guard exhaustivity.isOn else {
      let stubborn = left.only(\.isCancelled)
      if !stubborn.isEmpty { report(FailureText.ignoresCancellation(stubborn), at: location) }
      return
    }
    let hint = unmatchedHint(self.held) + unmatchedHint(left)
    let next = held.flatMap { isExcused($0) ? nil : $0 }
    let held = next.map { FailureText.line(of: $0.action, from: $0.source) }
    let dropped = assertsDrops ? drops.waiting.map { FailureText.line(of: $0) } : []
    let isAnybodyAsleep = isIdle && !left.strangers.isEmpty && !reportedFailures.hasFailures
    guard held != nil || !left.isEmpty || !dropped.isEmpty || isAnybodyAsleep else { return }
    report(
      FailureText.finishForgotten(held: held, step: next.flatMap(stepToReceive), dropped: dropped, inFlight: left)
        + hint, at: location)
  }
}
