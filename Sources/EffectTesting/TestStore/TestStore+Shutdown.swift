// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

// MARK: - Shutting down

extension TestStore {
  /// Shuts the store down, as ``/EffectRuntime/Store/shutdown(_:)`` does: from now on actions of the test are refused,
  /// and all runs end.
  ///
  /// ```swift
  /// let shutdown = store.shutdown(.draining(cancelling: ["ticker"], within: .seconds(5)))
  /// await store.receive(.saved) { $0.isSaving = false }              // was in flight, and is still reduced
  /// #expect(await shutdown.finish().isEmpty)                         // no run had to be cancelled
  /// await store.finish()
  /// ```
  ///
  /// It is a shutdown in two parts, so that the test can receive actions and let time pass in between: `advance(by:)` reaches
  /// the limit of a draining shutdown. Called again, a `.cancelling` shutdown makes a draining one cancel.
  ///
  /// - Parameters:
  ///   - shutdown: how runs end.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the shutdown, to wait for its end.
  /// - Ordering: a step like any other: an action that is held must be received first.
  @discardableResult
  public func shutdown(
    _ shutdown: Shutdown, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> SentShutdown<R> {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let waiter = Waiter()
    let sent = SentShutdown(store: self, waiter: waiter)
    guard begin("shutdown(_:)", at: location) else { return sent }
    requireNothingHeld("shutdown(_:)", at: location)
    guard !ending.isOver else { return sent }
    ending.hasBegun = true
    handle(.shutDown(shutdown, waiter, from: .none), by: "`shutdown(_:)`")
    if let limit = shutdown.limit {
      let time = clock.offset.end(ofWaiting: max(limit, .zero))
      ending.limits.append(TestEnding.Limit(time: time, number: clock.nextNumber(), waiter: waiter))
      ending.limits.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    }
    goOn()
    return sent
  }

  /// Cancels the rest, because the first limit of a shutdown has been reached.
  func cutShutdown() {
    guard !ending.limits.isEmpty else { return }
    handle(.shutdownExpired(ending.limits.removeFirst().waiter), by: "the time limit of `shutdown(_:)`")
  }

  private func handle(_ input: Engine<R>.Input, by step: String) {
    stop = .step(step)
    // The end is reported by an output.
    handle(input)
    if engine.isTurnOpen, held == nil { continueTurn() }
    stop = .sequence
  }

  /// Reports to the engine that all that was accepted has been handled.
  @usableFromInline
  func rest() {
    if !ending.isOver { handle(.rested) }
  }

  @usableFromInline
  func performEnding(_ step: EngineOutput) {
    switch step {
    case .cutShort(let waiter): waiters.cutShort(waiter)
    case .storeEnded:
      ending.isOver = true
      ending.limits = []
      mailbox.end()
    case .shutdownReturns(let waiting, let runs):
      ending.runs = runs
      for waiter in waiting { waiter.answer(true) }
    default: break
    }
  }

  /// Refuses an action that the test has sent after a shutdown: nothing is reduced.
  @usableFromInline
  func refuse(_ action: R.Action, expectsChange: Bool, at location: TestLocation) -> SentAction<R> {
    refuse(action, step(of: action), expectsChange: expectsChange, at: location)
    return SentAction(store: self, number: 0)
  }

  func refuse(_ action: R.Action, _ step: String, expectsChange: Bool, at location: TestLocation) {
    handle(.refused(action, CallSite(fileID: location.fileID, line: location.line)))
    if expectsChange { report(FailureText.refused(step), at: location) }
  }
}

/// The progress of the shutdown of a test store.
@usableFromInline
struct TestEnding {
  /// Whether actions from outside are refused.
  @usableFromInline var hasBegun = false
  /// The limits to come, in their order.
  var limits: [Limit] = []
  /// What the shutdown returns, when it is over.
  var runs: [EffectRun] = []
  var isOver = false

  /// When a shutdown cancels the rest and returns, and its position among all deadlines of that moment.
  struct Limit {
    let time: Duration
    let number: UInt64
    let waiter: Waiter
  }
}

/// A shutdown that a test has begun; see ``TestStore/shutdown(_:fileID:filePath:line:column:)``.
///
/// - Isolation: the test's, like its store. It does not keep the store alive.
public struct SentShutdown<R: Reducer> {
  private weak let store: TestStore<R>?
  /// Answered when the call would return.
  private let waiter: Waiter

  init(store: TestStore<R>, waiter: Waiter) {
    self.store = store
    self.waiter = waiter
  }

  /// Waits until the store has ended: every closure has returned, and nothing waits. At its limit the shutdown waits no
  /// longer.
  ///
  /// - Returns: the runs that had to be cancelled, as ``/EffectRuntime/Store/shutdown(_:)`` returns them. With
  ///   `.cancelling` these are all runs that were active or waiting, otherwise those that took longer than the limit.
  ///   Runs of the ids are in it only if they have not returned at the limit.
  /// - Ordering: if the store has ended, this is no step. Otherwise it is a step that waits: what runs send must be
  ///   received first.
  /// - Errors: waits for runs that are suspended outside of the test's control, at most ``TestStore/externalWait``.
  ///   Runs that are in flight then, or sleep on the test's clock, are a failure.
  /// - Parameters:
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  @discardableResult
  public func finish(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [EffectRun] {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let store else {
      Reporter.report(FailureText.storeIsGone("`finish()`"), at: location)
      return []
    }
    return await store.finishShutdown(waiter, at: location, isolation: isolation)
  }
}

extension TestStore {
  fileprivate func finishShutdown(
    _ waiter: Waiter, at location: TestLocation, isolation: isolated (any Actor)?
  ) async -> [EffectRun] {
    if ending.isOver { return ending.runs }
    // What was cancelled at the limit may have returned since.
    if waiter.isAnswered { return engine.shutdownResult }
    guard ending.hasBegun, begin("finish()", at: location) else { return [] }
    let limit = waitLimit
    while true {
      requireNothingHeld("finish()", at: location)
      if ending.isOver { return ending.runs }
      if waiter.isAnswered { return engine.shutdownResult }
      if answerEarlyCalls() { continue }
      guard isAnyParked, await arrival(before: limit) else { break }
    }
    // A run that a failure has named is the same mistake.
    let left = unexplained
    if left.isEmpty, !inFlight.isEmpty { return engine.shutdownResult }
    reportNaming(left, FailureText.shutdownInFlight(left), at: location)
    return engine.shutdownResult
  }
}
