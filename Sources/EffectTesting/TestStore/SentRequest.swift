// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// A request that a test has made, and its answer; see ``TestStore/request(_:fileID:filePath:line:column:_:)``.
///
/// - Isolation: the test's, like its store. It does not keep the store alive, but the answer remains if everything has
///   settled.
public struct SentRequest<R: Reducer> {
  private weak let store: TestStore<R>?
  private let request: PendingRequest<R.State>

  init(store: TestStore<R>, _ request: PendingRequest<R.State>) {
    self.store = store
    self.request = request
  }

  /// The value that a store's request with this closure would return or throw.
  ///
  /// - Parameters:
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  ///   - answer: makes the value from the state at the moment when the last effect of the action had settled, and not
  ///     from the present state.
  /// - Returns: what `answer` returns; `nil` if the step failed.
  /// - Throws: what `answer` throws; `CancellationError` after ``cancel(fileID:filePath:line:column:)``; a
  ///   ``/EffectRuntime/RequestFailure`` if the store was shut down.
  /// - Ordering: if everything has settled, this is no step, and you may also call it after the test's `finish()`.
  ///   Otherwise it is a step that waits: what the action's runs send must be received first.
  /// - Errors: waits for runs that are suspended outside of the test's control, at most ``TestStore/externalWait``.
  ///   Runs of the action that are in flight then, or sleep on the test's clock, are a failure; they go on, and you may
  ///   call this again. A request whose answer is never read is a failure at its line, unless it was cancelled.
  public func answer<Value>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ answer: (R.State) throws -> Value
  ) async throws -> Value? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return try await settled(at: location, isolation: isolation).map { try answer($0.state) }
  }

  /// The value that a store's request with this closure would return or throw, made from how everything ended as well.
  ///
  /// Otherwise it is the same as `answer(_:)` with the state alone. Each call gets the same state and outcomes.
  ///
  /// - Parameters:
  ///   - answer: makes the value from the state and the outcomes at the moment when the last effect had settled.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: what `answer` returns; `nil` if the step failed.
  /// - Throws: as `answer(_:)` with the state alone.
  public func answer<Value>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ answer: (R.State, RequestOutcomes) throws -> Value
  ) async throws -> Value? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return try await settled(at: location, isolation: isolation).map { try answer($0.state, $0.outcomes) }
  }

  /// Cancels what the action caused, and makes the answer a `CancellationError`, as a cancel of a waiting task does.
  ///
  /// A step like any other: an action that is held must be received first. If everything has settled, the answer stays.
  ///
  /// - Parameters:
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func cancel(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    request.isRead = true
    guard let store else {
      Reporter.report(FailureText.storeIsGone("`cancel()`"), at: location)
      return
    }
    store.cancel(dispatch: request.number, at: location) { request.fail(CancellationError()) }
  }

  /// What the answer is made from; `nil` if not everything has settled, which is a failure.
  private func settled(
    at location: TestLocation, isolation: isolated (any Actor)?
  ) async throws -> (state: R.State, outcomes: RequestOutcomes)? {
    request.isRead = true
    if !request.isSettled {
      guard let store else {
        Reporter.report(FailureText.storeIsGone("`answer(_:)`"), at: location)
        return nil
      }
      guard store.begin("answer(_:)", at: location) else { return nil }
      await store.settle(request.waiter, of: request.number, for: "answer(_:)", at: location, isolation: isolation)
    }
    return request.isSettled ? try request.result?.get() : nil
  }
}
