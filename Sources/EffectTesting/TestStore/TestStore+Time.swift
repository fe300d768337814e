// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Time

extension TestStore {
  /// Lets virtual time pass.
  ///
  /// - Ordering: sleepers wake one at a time, by deadline and then in the order they fell asleep, and each one's run
  ///   executes before the next wakes; what delays, debounces, throttles and time limits wait for counts among them, and
  ///   happens before anything is received that a run sends at that instant. Time stops at the first instant at which an action is received; `receive`
  ///   reduces it at that instant, and then time goes on to where it was sent.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    advance(to: { $0.adding(duration) }, step: "advance(by: \(duration))", at: location)
  }

  /// Lets virtual time pass up to an instant; see ``advance(by:fileID:filePath:line:column:)``.
  public func advance(
    to instant: TestClock.Instant, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    advance(to: { _ in instant.offset }, step: "advance(to: \(instant.offset))", at: location)
  }

  /// Lets virtual time pass up to the next instant at which somebody wakes, and wakes all who sleep until then.
  ///
  /// - Errors: that nobody sleeps is a failure.
  public func advanceToNext(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("advanceToNext()", at: location) else { return }
    requireNothingHeld("advanceToNext()", at: location)
    guard let next = nextInstant else {
      reportNaming(inFlight, FailureText.nobodySleeps(inFlight), at: location)
      return
    }
    noteParked()
    target = next.offset
    goOn()
  }

  /// Lets virtual time pass until nobody sleeps any more, or an action is received.
  ///
  /// - Parameter limit: how many different instants may be woken at before it counts as endless.
  /// - Parameter fileID: the file a failure is shown in.
  /// - Parameter filePath: likewise.
  /// - Parameter line: the line it is shown at.
  /// - Parameter column: likewise.
  /// - Errors: that there is no end is a failure that names who sleeps then.
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
    // Time that passes for nothing proves nothing.
    if !hadSteps, isIdle, nextInstant == nil { hasSteps = false }
    requireNothingHeld(step(), at: location)
    // Not before: what was held may have kept time from the target of an earlier advance.
    let offset = instant(clock.now.offset)
    if offset < clock.now.offset {
      report(FailureText.backwards(to: offset, now: clock.now), at: location)
      return
    }
    if offset > clock.now.offset { noteParked() }
    target = offset
    goOn()
  }

  /// Goes on as far as nothing is held: what is ready now, then what the time up to the target wakes.
  @inlinable
  func goOn() {
    while true {
      settleNow()
      guard held == nil else { return }
      // At the target too: several may be due at one instant.
      if wakeNext() { continue }
      guard clock.now.offset < target else { return }
      clock.move(to: target)
      handle(.timePassed)
    }
  }
}
