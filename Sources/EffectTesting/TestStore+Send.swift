// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Sending

extension TestStore {
  /// Sends an action that changes the state, as the user or the system would.
  ///
  /// - Parameters:
  ///   - action: what happens.
  ///   - expect: turns the state before into the state expected after. Called once.
  /// - Ordering: reduces before it returns, and lets the runs it starts execute until each one has ended or waits. An
  ///   action that is held must be received first.
  @discardableResult
  public func send(
    _ action: R.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ expect: (inout R.State) throws -> Void
  ) -> SentAction<R> {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return send(action, at: location, expectsChange: true, expect)
  }

  /// Sends an action that does not change the state; see ``send(_:fileID:filePath:line:column:_:)``.
  @discardableResult
  public func send(
    _ action: R.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> SentAction<R> {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return send(action, at: location, expectsChange: false) { _ in }
  }

  private func send(
    _ action: R.Action, at location: TestLocation, expectsChange: Bool, _ expect: (inout R.State) throws -> Void
  ) -> SentAction<R> {
    begin("send(\(Difference.describe(action)))", at: location)
    requireNothingHeld("send(\(Difference.describe(action)))", at: location)
    let before = state
    let number = reduceSent(action)
    check(
      before, expectsChange: expectsChange, after: "sending \(Difference.describe(action))", at: location, expect)
    settleNow()
    return SentAction(store: self, number: number)
  }

  /// Compares the state with what was expected of a step.
  func check(
    _ before: R.State, expectsChange: Bool, after step: @autoclosure () -> String,
    at location: TestLocation,
    _ expect: (inout R.State) throws -> Void
  ) {
    var expected = before
    do {
      try expect(&expected)
    } catch {
      return report(FailureText.expectationThrew(error, after: step()), at: location)
    }
    if expected != state {
      let difference = Difference.text(expected: expected, actual: state)
      let text =
        expectsChange
        ? FailureText.stateDiffers(difference, after: step()) : FailureText.unexpectedChange(difference, after: step())
      report(text, at: location)
    } else if expectsChange, expected == before {
      report(FailureText.noChange(after: step()), at: location)
    }
  }

  /// Every step begins here. Steps after `finish()` prove nothing any more.
  func begin(_ step: @autoclosure () -> String, at location: TestLocation) {
    self.location = location
    if isFinished { report(FailureText.afterFinish(step()), at: location) }
  }

  /// Fails if an action is held, and reduces all that are, so that the test can go on from where the user would be.
  func requireNothingHeld(_ step: @autoclosure () -> String, at location: TestLocation) {
    goOn()
    guard held != nil else { return }
    var actions: [String] = []
    while let next = held, actions.count < TestLimits.followUps {
      actions.append(FailureText.line(of: next.action, from: next.source))
      reduceHeld(next)
      goOn()
    }
    report(FailureText.unhandled(actions, isEndless: held != nil, before: step()), at: location)
    // Runs that answer one another without end: nothing can be proved of them any more.
    dropEverything()
  }
}

/// An action that was sent, and what it set in motion.
///
/// - Isolation: the test's, like its store. It does not keep the store alive.
public struct SentAction<R: Reducer> where R.State: Equatable {
  private weak let store: TestStore<R>?
  private let number: UInt64

  init(store: TestStore<R>, number: UInt64) {
    self.store = store
    self.number = number
  }

  /// Cancels everything the action caused and will cause, as ``Dispatch/cancel()`` does.
  ///
  /// A step like any other: an action that is held must be received first.
  public func cancel(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    guard let store else { return }
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    store.begin("cancel()", at: location)
    store.requireNothingHeld("cancel()", at: location)
    store.interpreter.cancelDispatch(number)
    store.perform()
    store.settleNow()
  }
}
