// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// An action that was sent, and the work that it caused.
///
/// - Isolation: the test's, like its store. It does not keep the store alive. If the store no longer exists, its steps
///   fail.
public struct SentAction<R: Reducer> {
  private weak let store: TestStore<R>?
  private let number: UInt64

  @usableFromInline
  init(store: TestStore<R>, number: UInt64) {
    self.store = store
    self.number = number
  }

  /// Whether the action was not reduced, because the store was shut down, or because the step of the action failed at its
  /// beginning. Then `cancel()` and `finish()` do nothing.
  public var isRefused: Bool { number == 0 }

  /// Cancels everything the action caused and will cause, as ``/EffectRuntime/StoreTask/cancel(isolation:)`` does.
  ///
  /// A step like any other: an action that is held must be received first. If everything has settled, nothing happens (rule
  /// L2).
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
    guard let store else {
      Reporter.report(FailureText.storeIsGone("`cancel()`"), at: location)
      return
    }
    if !isRefused { store.cancel(dispatch: number, at: location) {} }
  }

  /// Waits until everything the action caused has settled, as ``/EffectRuntime/StoreTask/finish()`` does; other runs may go on.
  ///
  /// - Ordering: a step like any other: what the action's runs send must be received first.
  /// - Errors: waits for runs that are suspended outside of the test's control, at most ``TestStore/externalWait``. Runs
  ///   of the action that are in flight then, or sleep on the test's clock, are a failure; they go on.
  /// - Parameters:
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func finish(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let store else {
      Reporter.report(FailureText.storeIsGone("`finish()`"), at: location)
      return
    }
    if !isRefused { await store.finish(dispatch: number, at: location, isolation: isolation) }
  }
}

// MARK: - In the store

extension TestStore {
  /// Cancels what an action causes. `note` is called before, unless the step fails at its beginning.
  func cancel(dispatch number: UInt64, at location: TestLocation, noting note: () -> Void) {
    guard begin("cancel()", at: location) else { return }
    requireNothingHeld("cancel()", at: location)
    note()
    stop = .step("`cancel()`")
    handle(.senderCancelled(number))
    if engine.isTurnOpen { continueTurn() }
    stop = .sequence
    executeWhatIsDue()
  }

  fileprivate func finish(
    dispatch number: UInt64, at location: TestLocation, isolation: isolated (any Actor)?
  ) async {
    guard begin("finish()", at: location) else { return }
    let waiter = Waiter()
    waiters.add(waiter)
    handle(.watch(number, waiter, from: .none))
    await settle(waiter, of: number, for: "finish()", at: location, isolation: isolation)
    waiters.remove(waiter)
  }

  /// Waits until a watched dispatch has settled. It is a failure if it does not.
  func settle(
    _ waiter: Waiter, of number: UInt64, for step: String, at location: TestLocation,
    isolation: isolated (any Actor)?
  ) async {
    let limit = waitLimit
    while true {
      requireNothingHeld(step, at: location)
      guard waiters.contains(waiter) else { return }
      if answerEarlyCalls() { continue }
      guard mayComeBack(to: number), await arrival(before: limit) else { break }
    }
    let own = inFlight.only { scheduler.isRun($0.token, partOf: number) }
    let left = own.isEmpty ? inFlight : own
    reportNaming(left, FailureText.sentInFlight(left), at: location)
  }

  /// Whether something outside of the test's control can still end a dispatch.
  private func mayComeBack(to number: UInt64) -> Bool {
    let parked = inFlight.only(\.isOutside)
    let own = inFlight.only { scheduler.isRun($0.token, partOf: number) }
    // If the dispatch has no runs in flight, its runs wait for runs of other dispatches.
    return own.isEmpty ? !parked.isEmpty : own.runs.contains(where: \.isOutside)
  }
}
