// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// MARK: - The state at rest

extension TestStore {
  /// Compares the present state with what the closure sets in it. It is given the present state and must change nothing.
  ///
  /// - Parameters:
  ///   - expect: sets what the test asserts in the present state. Called once. An error that it throws is a failure.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: no step of its own: nothing is reduced, and an action may be held.
  public func assert(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: (inout R.State) throws -> Void
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    hasSteps = true
    var expected = state
    do {
      try expect(&expected)
    } catch {
      report(FailureText.assertionThrew(error), at: location)
      return
    }
    if !comparison.areEqual(expected, state) {
      reportState(FailureText.assertionFailed(comparison.difference(expected, state)), at: location)
    }
  }

  /// Makes another test store in the same state, to test several continuations of the same steps.
  ///
  /// It has a copy of the state, the same reducer, the same time on a clock of its own, and the same settings. Objects
  /// in the state and dependencies of the reducer are shared. It is not shut down.
  ///
  /// - Ordering: a step like any other: an action that is held must be received first. The windows of throttles that are
  ///   open are not copied: the fork's first run of each id starts at once.
  /// - Errors: runs cannot be copied. If one is in flight this is a failure, and the fork goes on without it.
  /// - Parameters:
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the other store.
  public func fork(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TestStore {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if begin("fork()", at: location) {
      requireNothingHeld("fork()", at: location)
      if !isIdle { reportNaming(inFlight, FailureText.forkInFlight(inFlight), at: location) }
    }
    let fork = TestStore(
      initialState: state, reducer: reducer, comparison: comparison, executor: TestExecutor(),
      carrying: mailbox.carried?.values ?? [], at: location)
    fork.exhaustivity = exhaustivity
    fork.assertsDrops = assertsDrops
    fork.externalWait = externalWait
    fork.noticesWaits = noticesWaits
    fork.hasSteps = hasSteps
    fork.clock.move(to: clock.now.offset)
    fork.target = clock.now.offset
    return fork
  }
}
