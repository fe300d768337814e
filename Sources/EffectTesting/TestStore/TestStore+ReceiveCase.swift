// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

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
