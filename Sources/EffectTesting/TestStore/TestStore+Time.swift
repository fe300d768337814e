// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Time

extension TestStore {
  /// Lets virtual time pass.
  ///
  /// - Parameters:
  ///   - duration: how much time passes. A negative duration is a failure.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: sleepers wake one at a time, by deadline and then in the order they fell asleep. The run of each one
  ///   executes before the next wakes. The deadlines of delays, debounces, throttles and time limits are in the same
  ///   order. They fire before an action is held that a run sends at that instant. Time stops at the first instant at
  ///   which an action is held. `receive` reduces it at that instant, and then time goes on to the target.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    advance(to: { $0.adding(duration) }, step: "advance(by: \(duration))", at: location)
  }

  /// Lets virtual time pass up to an instant; see ``advance(by:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - instant: what the clock shows afterwards. An instant that has passed is a failure.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func advance(
    to instant: TestClock.Instant, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    advance(to: { _ in instant.offset }, step: "advance(to: \(instant.offset))", at: location)
  }

  /// Lets virtual time pass up to the next deadline, of a sleeper, a time modifier or a shutdown, and wakes all that is due.
  ///
  /// - Errors: it is a failure if there is no deadline.
  /// - Parameters:
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func advanceToNext(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("advanceToNext()", at: location) else { return }
    requireNothingHeld("advanceToNext()", at: location)
    guard let next = nextInstant else {
      reportNaming(inFlight, FailureText.nothingSleeps(inFlight), at: location)
      return
    }
    noteParked()
    target = next.offset
    goOn()
  }

  /// Lets virtual time pass until there is no further deadline, or until an action is held.
  ///
  /// - Parameter limit: how many instants with a deadline may pass before this counts as endless.
  /// - Parameter fileID: the file a failure is shown in.
  /// - Parameter filePath: likewise.
  /// - Parameter line: the line it is shown at.
  /// - Parameter column: likewise.
  /// - Errors: it is a failure if the limit is reached. The failure names what is in flight.
  public func runUntilIdle(
    limit: Int = 10_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("runUntilIdle()", at: location) else { return }
    requireNothingHeld("runUntilIdle()", at: location)
    var left = limit
    while held == nil, let next = nextInstant {
      guard left > 0 else {
        reportNaming(inFlight, FailureText.neverIdle(inFlight, limit: limit), at: location)
        return
      }
      left -= 1
      noteParked()
      target = next.offset
      goOn()
    }
  }

  private func advance(to instant: (Duration) -> Duration, step: @autoclosure () -> String, at location: TestLocation) {
    let hadSteps = hasSteps
    guard begin(step(), at: location) else { return }
    // If nothing waits for the time, letting it pass proves nothing.
    if !hadSteps, isIdle, nextInstant == nil { hasSteps = false }
    requireNothingHeld(step(), at: location)
    // Computed after the line above, which may move the time: a held action may have stopped it before the target of an
    // earlier `advance`.
    let offset = min(instant(clock.now.offset), .last)
    if offset < clock.now.offset {
      report(FailureText.backwards(to: offset, now: clock.now), at: location)
      return
    }
    if offset > clock.now.offset { noteParked() }
    target = offset
    goOn()
  }

  /// Goes on until an action is held: runs what is ready now, then what wakes up to the target.
  @inlinable
  func goOn() {
    while true {
      executeWhatIsDue()
      guard held == nil else { return }
      // At the target as well, because several deadlines may be at one instant.
      if wakeNext() { continue }
      // Without `advance` the target is the beginning.
      guard target > .zero, clock.now.offset < target else { return }
      clock.move(to: target)
      handle(.timePassed)
    }
  }
}
