// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// MARK: - Settling from outside

extension TestStore {
  /// Waits for runs that are suspended outside of the test's control. It returns when an action is held, or when each run
  /// has ended, sleeps on the test's clock or waits for an answer of a ``Mock``.
  ///
  /// - Errors: a run that is still outside after ``externalWait`` is a failure that names it. It is also a failure if
  ///   no run has been started, because there is nothing to settle then.
  /// - Parameters:
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func settle(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle(nil, at: location, isolation: isolation)
  }

  /// Waits for the runs of an id that are suspended outside of the test's control. It returns when an action is held, or
  /// when each run of the id has ended, sleeps on the test's clock or waits for an answer of a ``Mock``. Other runs may
  /// stay outside, such as one that listens to a socket.
  ///
  /// - Parameters:
  ///   - id: the id of the runs to wait for. An optional id means the id in it; with `nil` nothing is waited for.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Errors: a run of the id that is still outside after ``externalWait`` is a failure that names it. An id whose runs
  ///   have ended is settled. An id under which nothing was started is a failure, because it may be misspelt. Only the
  ///   newest 1,000 events are searched: if older ones are lost, it is no failure.
  public func settle(
    until id: some Hashable & Sendable, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let id = EffectID.unwrapping(id) else { return }
    await settle(id, at: location, isolation: isolation)
  }

  /// Settles the runs of an id, or all.
  private func settle(_ id: EffectID?, at location: TestLocation, isolation: isolated (any Actor)?) async {
    guard begin("settle()", at: location, isReceive: true) else { return }
    guard hasStarted(id, at: location) else { return }
    let limit = waitLimit
    while true {
      goOn()
      guard held == nil, isAnyParked else { return }
      let parked = inFlight.only { $0.isOutside && (id == nil || $0.run.id == id) }
      if parked.isEmpty { return }
      guard await arrival(before: limit) else {
        let isFailure = reportNaming(parked, FailureText.stillOutside(parked, wait: externalWait), at: location)
        if isFailure { reportedFailures.isSilent = true }
        return
      }
    }
  }

  /// Fails if nothing was ever started that could be settled. The present state is not enough to decide that: what was
  /// outside may have ended before.
  private func hasStarted(_ id: EffectID?, at location: TestLocation) -> Bool {
    guard let id else {
      // A run that waits for its time starts later.
      if runs.hasStarted || !isIdle || reportedFailures.hasFailures { return true }
      report(FailureText.nothingToSettle, at: location)
      return false
    }
    if reportedFailures.hasFailures { return true }
    let past = log.knownIDs
    if past.ids.contains(id) || !past.isWhole { return true }
    report(FailureText.neverStarted(id, started: past.ids), at: location)
    return false
  }
}
