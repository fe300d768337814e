// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

// MARK: - Requests

extension TestStore {
  /// Sends an action, and returns a request. Its answer is made when everything has settled. With a closure the action
  /// must change the state, and without one it must not.
  ///
  /// ```swift
  /// let save = store.request(.saveTapped) { $0.isSaving = true }
  /// await store.receive(.saved(version: 3)) { ($0.isSaving, $0.version) = (false, 3) }
  /// let version = try await save.answer { state, outcomes in
  ///   guard outcomes.allFinished else { throw NotSaved() }
  ///   return state.version
  /// }
  /// #expect(version == 3)
  /// ```
  ///
  /// It is a ``/EffectRuntime/Store/request(_:_:)-(_,(R.State,RequestOutcomes)->Value)`` in two parts, so that the test
  /// can receive actions in between.
  ///
  /// - Parameters:
  ///   - action: the action of the request.
  ///   - expect: turns the state before into the state expected after the reduction; `nil` if it must stay the same.
  ///     Called once, unless the step fails before. An error that it throws is a failure.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the request, for its answer.
  /// - Ordering: as with ``send(_:fileID:filePath:line:column:_:)``.
  public func request(
    _ action: R.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ expect: ((inout R.State) throws -> Void)? = nil
  ) -> SentRequest<R> {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return request(action, at: location, expectsChange: expect != nil, expect ?? { _ in })
  }

  private func request(
    _ action: R.Action, at location: TestLocation, expectsChange: Bool, _ expect: (inout R.State) throws -> Void
  ) -> SentRequest<R> {
    func step() -> String { "request(\(FailureText.brief(action)))" }
    guard begin(step(), at: location) else { return SentRequest(store: self, PendingRequest(number: 0, isRead: true)) }
    requireNothingHeld(step(), at: location)
    let request = PendingRequest<R.State>(number: engine.taken + 1)
    request.reportUnread = { [weak self] in
      // What follows from a failure is no failure of its own.
      if self?.reportedFailures.hasFailures != true { Reporter.report(FailureText.answerNotRead(step()), at: location) }
    }
    let sent = SentRequest(store: self, request)
    if ending.hasBegun {
      request.settle(.failure(RequestFailure.refused))
      refuse(action, step(), expectsChange: expectsChange, at: location)
      return sent
    }
    let before = state
    waiters.add(request)
    // In the order in which a store takes these messages.
    handle(.collectOutcomes(request.number))
    _ = reduceSent(action)
    handle(.watch(request.number, request.waiter, from: .none))
    check(before, expectsChange: expectsChange, after: "requesting \(FailureText.brief(action))", at: location, expect)
    executeWhatIsDue()
    return sent
  }
}
