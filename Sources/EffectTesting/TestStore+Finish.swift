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
    begin("finish()", at: location)
    let limit = ContinuousClock.now + externalWait
    while true {
      requireNothingHeld("finish()", at: location)
      guard isAnyParked, await executor.arrival(before: limit) else { break }
    }
    let left = inFlight.only { !$0.isCancelled }
    if !left.isEmpty { report(FailureText.inFlight(left), at: location) }
    let stubborn = inFlight.only(\.isCancelled)
    if !stubborn.isEmpty { report(FailureText.ignoresCancellation(stubborn), at: location) }
    cancelAll()
    isFinished = true
  }

  /// The store goes and `finish()` was not called: fails if that would have.
  func reportUnfinished() {
    location = creation
    goOn()
    let left = inFlight
    guard held != nil || !left.isEmpty else { return }
    let action = held.map { FailureText.line(of: $0.action, from: $0.source) }
    report(FailureText.finishForgotten(held: action, inFlight: left), at: creation)
  }
}
