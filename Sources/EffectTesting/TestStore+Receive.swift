// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Receiving

extension TestStore {
  /// Receives the next action, which must be equal to this one, and changes the state.
  ///
  /// - Ordering: reduces the held action now, at the instant it arrived; then time goes on to where it was advanced.
  /// - Errors: if no action is held, it waits for runs that are suspended outside of the test's control, at most
  ///   ``externalWait``, and fails at once where there are none.
  public func receive(
    _ action: R.Action, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: (inout R.State) throws -> Void
  ) async where R.Action: Equatable {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(Expected(action), at: location, isolation: isolation, expectsChange: true, expect)
  }

  /// Receives the next action, which must be equal to this one and not change the state; see
  /// ``receive(_:isolation:fileID:filePath:line:column:_:)``.
  public func receive(
    _ action: R.Action, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where R.Action: Equatable {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(Expected(action), at: location, isolation: isolation, expectsChange: false) { _ in }
  }

  /// What a test expects to receive.
  private struct Expected {
    let text: () -> String
    /// The difference from the expected action; `nil` if it is the one.
    let difference: (R.Action) -> String?

    init(_ action: R.Action) where R.Action: Equatable {
      text = { Difference.describe(action) }
      difference = { $0 == action ? nil : Difference.text(expected: action, actual: $0) }
    }
  }

  private func receive(
    _ expected: Expected, at location: TestLocation, isolation: isolated (any Actor)?, expectsChange: Bool,
    _ expect: (inout R.State) throws -> Void
  ) async {
    begin("receive(\(expected.text()))", at: location)
    guard await awaitHeld(isolation: isolation), let held else {
      return report(FailureText.nothingReceived(expected.text(), inFlight: inFlight), at: location)
    }
    let before = state
    if let difference = expected.difference(held.action) {
      // What the test expects of another action says nothing about this one.
      report(FailureText.otherReceived(expected.text(), from: held.source, difference), at: location)
      reduceHeld(held)
    } else {
      reduceHeld(held)
      check(
        before, expectsChange: expectsChange, after: "receiving \(Difference.describe(held.action))", at: location,
        expect)
    }
    goOn()
  }

  /// Waits until an action is held; `false` if none can come.
  private func awaitHeld(isolation: isolated (any Actor)?) async -> Bool {
    let limit = ContinuousClock.now + externalWait
    while true {
      goOn()
      if held != nil { return true }
      guard isAnyParked, await executor.arrival(before: limit) else { return false }
    }
  }

  /// Admits the work of runs that are suspended outside of the test's control, until an action is held or each run has
  /// ended or sleeps on the test's clock.
  ///
  /// - Errors: a run that is still outside after ``externalWait`` is a failure that names it.
  public func settle(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    begin("settle()", at: location)
    let limit = ContinuousClock.now + externalWait
    while true {
      goOn()
      if held != nil || !isAnyParked { return }
      guard await executor.arrival(before: limit) else {
        return report(FailureText.stillOutside(inFlight, wait: externalWait), at: location)
      }
    }
  }
}
