// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Finishing

extension TestStore {
  /// Ends the test: every received action must have been received, every run must have ended.
  ///
  /// Waits for runs that are suspended outside of the test's control, at most ``externalWait``. What is still in flight
  /// then, or sleeps on the test's clock, is a failure, and is cancelled.
  public func finish(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    requireOpen("finish()", at: location)
    while true {
      goOn()
      requireNothingHeld("finish()", at: location)
      // One that sleeps for ever keeps the test from waiting for another that may come back.
      guard isAnyParked, await executor.arrival(within: externalWait) else { break }
    }
    let left = inFlight
    if !left.isEmpty { report(FailureText.inFlight(left, now: clock.now), at: location) }
    cancelAll()
    isFinished = true
  }

  /// The store goes and `finish()` was not called: fails if that would have.
  func reportUnfinished() {
    settleNow()
    let left = inFlight
    guard held != nil || !left.isEmpty else { return }
    let action = held.map { FailureText.line(of: $0.action, from: $0.run) }
    report(FailureText.finishForgotten(held: action, inFlight: left, now: clock.now), at: location)
  }
}
