// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Receiving

extension TestStore {
  /// Receives the next action, which must be equal to this one. With a closure it must change the state, and without one it must
  /// not.
  ///
  /// - Parameters:
  ///   - action: the action that must come next.
  ///   - expect: turns the state before into the state expected after the reduction; `nil` if it must stay the same.
  ///     Called once, unless the step fails before. An error that it throws is a failure.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: reduces the held action now, at the instant it arrived; then time goes on to the target of `advance`.
  ///   With ``exhaustivity`` off, actions before it are reduced and skipped.
  /// - Errors: if no action is held, the step waits for runs that are suspended outside of the test's control, at most
  ///   ``externalWait``. Without such a run it fails at once.
  @inlinable
  public func receive(
    _ action: R.Action, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async where R.Action: Equatable {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if receiveHeld(action, at: location, expect) { return }
    await receive(Expected(action), at: location, isolation: isolation, expect)
  }

  /// For the compiler's message where the constraint above is not met. Without this, the message is about case paths.
  ///
  /// - Parameters:
  ///   - action: the action that must come next.
  ///   - expect: as in the step with the constraint.
  @available(*, unavailable, message: "actions are compared: let Action be Equatable, or use receive(where:)")
  public func receive(_ action: R.Action, _ expect: (inout R.State) throws -> Void = { _ in }) async {}

  /// Receives the next action, which the predicate must accept; otherwise like `receive(_:_:)`. The action need not be `Equatable`.
  ///
  /// - Parameters:
  ///   - isExpected: whether an action is the expected one. It has no side effects.
  ///   - expect: turns the state before into the state expected after the reduction; `nil` if it must stay the same.
  ///     Called once, unless the step fails before. An error that it throws is a failure.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func receive(
    where isExpected: @escaping (R.Action) -> Bool, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(Expected(where: isExpected), at: location, isolation: isolation, expect)
  }

  /// Receives the next action, which must be of this case; otherwise like
  /// ``receive(_:isolation:fileID:filePath:line:column:_:)``. The action need not be `Equatable`.
  ///
  /// - Parameters:
  ///   - path: the case that the action must be of.
  ///   - expect: turns the state before into the state expected after the reduction; `nil` if it must stay the same.
  ///     Called once, unless the step fails before. An error that it throws is a failure.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the value in the case; `nil` if the step failed.
  @discardableResult
  public func receive<Value>(
    _ path: CasePath<R.Action, Value>, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async -> Value? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let action = await receive(Expected(path), at: location, isolation: isolation, expect)
    return action.flatMap(path.extract)
  }

  /// Receives these actions, in any order. Together they must change the state as the closure says, or not at all if
  /// there is none.
  ///
  /// - Parameters:
  ///   - actions: all actions that must come, each as often as it is listed here.
  ///   - expect: turns the state before the first into the state expected after the last; `nil` if it must stay the
  ///     same. Called once, unless the step fails before. An error that it throws is a failure.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: each is reduced at the instant it arrived. No other action may come in between.
  /// - Errors: an empty list is a failure, because nothing is received then.
  public func receive(
    unordered actions: [R.Action], isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async where R.Action: Equatable {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(unordered: actions, at: location, isolation: isolation, expect)
  }

  /// Reduces the held action, and those that follow it without a wait in real time. The test need not expect them.
  ///
  /// - Errors: it is a failure if no action is held, unless ``exhaustivity`` is off. To include what comes from outside
  ///   of the test's control, call ``settle(isolation:fileID:filePath:line:column:)`` before.
  /// - Parameters:
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func skipReceived(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("skipReceived()", at: location) else { return }
    goOn()
    if held == nil, exhaustivity.isOn {
      reportNaming(inFlight, FailureText.nothingToSkip(inFlight), at: location)
      return
    }
    var actions = ActionCount()
    while let next = held, !actions.isEndless(executor.actionLimit) {
      actions.add(at: clock.now.offset, line: FailureText.line(of: next.action, from: next.source))
      reduceHeld(next)
      goOn()
    }
    guard held != nil else { return }
    let isFailure = report(
      FailureText.unhandled(actions, code: [], isEndless: true, before: "the end of skipReceived()"), at: location)
    dropEverything(isReported: isFailure)
  }
}

// MARK: - Receiving an action by its case

// Overloads for one, two and three values instead of a parameter pack: the 6.3.1 compiler crashes where a function with a
// pack is used as a value.
extension TestStore {
  /// Receives the next action, which must be of a case. With a closure it must change the state, and without one it must not.
  ///
  /// ```swift
  /// let results = await store.receive(Search.Action.found) { $0.isLoading = false }
  /// #expect(results?.count == 3)
  /// ```
  ///
  /// The action need not be `Equatable`. For a case without payload write the action itself, or `receive(where:)`. The rest is
  /// as with `receive(_:_:)`.
  ///
  /// - Parameters:
  ///   - make: the case, by the name that makes it: `Search.Action.found`. Its payload may have a label. The function is called
  ///     with the payload of the received action, to compare cases.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at. A failure quotes this line of the file.
  ///   - column: likewise.
  ///   - expect: changes the state to what it must be after the action; `nil` if it must stay the same. An error that it
  ///     throws is a failure.
  /// - Returns: the payload; `nil` if no action of this case was received.
  /// - Errors: an action of another case is a failure that shows it. So is an action type with a `customMirror`, whose cases
  ///   cannot be read: use `receive(_:_:)` with a `CasePath` for it. The same holds for a payload that is a function. Use a
  ///   path as well for a case of more than three values.
  @discardableResult
  public func receive<Payload>(
    _ make: @escaping (Payload) -> R.Action, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async -> Payload? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return await receive(ActionCase(make), at: location, isolation: isolation, expect)
  }

  /// Receives the next action, which must be of a case of two values; otherwise as with one value.
  ///
  /// - Parameters:
  ///   - make: the case, by the name that makes it, with two values.
  ///   - expect: turns the state before into the state expected after the reduction; `nil` if it must stay the same.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the payload; `nil` if no action of this case was received.
  @discardableResult
  public func receive<First, Second>(
    _ make: @escaping (First, Second) -> R.Action, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async -> (First, Second)? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return await receive(ActionCase(make), at: location, isolation: isolation, expect)
  }

  /// Receives the next action, which must be of a case of three values; otherwise as with one value.
  ///
  /// - Parameters:
  ///   - make: the case, by the name that makes it, with three values.
  ///   - expect: turns the state before into the state expected after the reduction; `nil` if it must stay the same.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the payload; `nil` if no action of this case was received.
  @discardableResult
  public func receive<First, Second, Third>(
    _ make: @escaping (First, Second, Third) -> R.Action, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async -> (First, Second, Third)? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return await receive(ActionCase(make), at: location, isolation: isolation, expect)
  }

  private func receive<Payload>(
    _ expected: ActionCase<R.Action, Payload>, at location: TestLocation, isolation: isolated (any Actor)?,
    _ expect: ((inout R.State) throws -> Void)?
  ) async -> Payload? {
    if let obstacle = ActionCase<R.Action, Payload>.obstacle {
      let call = SourceLine(at: location).text
      let isOfOneValue = !expected.hasSeveralValues
      report(
        FailureText.unreadableCase(of: R.Action.self, isOfOneValue: isOfOneValue, in: call, obstacle), at: location)
      return nil
    }
    let action = await receive(
      Expected(expected, at: location), at: location, isolation: isolation, expect)
    return action.flatMap { try? expected.payload(of: $0) }
  }
}
