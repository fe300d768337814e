// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Settling from outside

extension TestStore {
  /// Admits the work of runs that are suspended outside of the test's control, until an action is held or each run has
  /// ended or sleeps on the test's clock.
  ///
  /// - Errors: a run that is still outside after ``externalWait`` is a failure that names it.
  public func settle(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle(at: location, isolation: isolation) { _ in true }
  }

  /// Admits work from outside until an action is held or each run of an id has ended or sleeps on the test's clock; other
  /// runs may stay outside, such as one that listens to a socket.
  ///
  /// - Errors: a run of the id that is still outside after ``externalWait`` is a failure that names it. An id without a
  ///   run is settled.
  public func settle(
    until id: EffectID, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle(at: location, isolation: isolation) { $0.id == id }
  }

  /// Admits work from outside until each run of an id has ended or sleeps on the test's clock; see
  /// ``settle(until:isolation:fileID:filePath:line:column:)-(EffectID,_,_,_,_,_)``. An optional id means the id in it.
  public func settle(
    until id: some Hashable & Sendable, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let id = EffectID.unwrapping(id)
    await settle(at: location, isolation: isolation) { $0.id != nil && $0.id == id }
  }

  private func settle(
    at location: TestLocation, isolation: isolated (any Actor)?, _ isWaitedFor: (EffectRun) -> Bool
  ) async {
    guard begin("settle()", at: location, isReceive: true) else { return }
    let limit = waitLimit
    while true {
      goOn()
      guard held == nil, isAnyParked else { return }
      let parked = inFlight.only { $0.wakes == nil && isWaitedFor($0.run) }
      if parked.isEmpty { return }
      guard await executor.arrival(before: limit) else {
        aftermath.isSilent = true
        return reportNaming(parked, FailureText.stillOutside(parked, wait: externalWait), at: location)
      }
    }
  }
}
