// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

// MARK: - Asserting drops

extension TestStore {
  /// Expects that an action was dropped (rule E1).
  ///
  /// Dropped are actions of a run that was cancelled or replaced, and a `.send` of a tree that was cancelled. What is sent after
  /// a closure has returned by itself is dropped as well, and is a failure.
  ///
  /// ```swift
  /// store.send(.queryChanged("swift")) { $0.query = "swift" }
  /// await store.expectDrop(.found(["SW"]))        // the client has still answered the query before
  /// ```
  ///
  /// A dropped action changes nothing, so there is no closure. With ``assertsDrops`` on, each drop must be expected;
  /// without it the step may still be used, and skips other drops before the expected one.
  ///
  /// - Parameters:
  ///   - action: the action that was dropped.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: drops are expected in the order they happened. Drops and received actions have no order relative to
  ///   each other, but what waits behind a held action has not been dropped yet.
  /// - Errors: if nothing was dropped, the step waits for runs that are suspended outside of the test's control, at
  ///   most ``externalWait``. Without such a run it fails at once. What an unstructured task of an ended run sends
  ///   belongs to no run in flight, so the step does not wait for that: await the task before.
  public func expectDrop(
    _ action: R.Action, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where R.Action: Equatable {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await expectDrop(Expected(action), at: location, isolation: isolation)
  }

  /// For the compiler's message where the constraint above is not met. Without this, the message is about case paths.
  ///
  /// - Parameter action: the action that was dropped.
  @available(*, unavailable, message: "actions are compared: let Action be Equatable, or use expectDrop(where:)")
  public func expectDrop(_ action: R.Action) async {}

  /// Expects that an action was dropped, and that the predicate accepts it; otherwise like `expectDrop(_:)`. The action
  /// need not be `Equatable`.
  ///
  /// - Parameters:
  ///   - isExpected: whether an action is the expected one. It has no side effects.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func expectDrop(
    where isExpected: @escaping (R.Action) -> Bool, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await expectDrop(Expected(where: isExpected), at: location, isolation: isolation)
  }

  /// Expects that an action of this case was dropped; otherwise like
  /// ``expectDrop(_:isolation:fileID:filePath:line:column:)``. The action need not be `Equatable`.
  ///
  /// - Parameters:
  ///   - path: the case that the dropped action must be of.
  ///   - isolation: the caller's, by default.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: the value in the case; `nil` if the step failed.
  @discardableResult
  public func expectDrop<Value>(
    _ path: CasePath<R.Action, Value>, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Value? {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return await expectDrop(Expected(path), at: location, isolation: isolation).flatMap(path.extract)
  }

  @discardableResult
  private func expectDrop(
    _ expected: Expected<R.Action>, at location: TestLocation, isolation: isolated (any Actor)?
  ) async -> R.Action? {
    guard begin("expectDrop(\(expected.text()))", at: location, isReceive: true) else { return nil }
    let limit = waitLimit
    while true {
      goOn()
      while let first = drops.waiting.first {
        if let difference = expected.difference(first.action) {
          guard areDropsAsserted else {
            _ = drops.removeFirst()
            continue
          }
          if !drops.hasNamed(expected) {
            let text = FailureText.otherDropped(expected.text(), first, difference)
            if report(text, at: location) { drops.pass(expected) }
          }
          return nil
        }
        return drops.removeFirst()?.action
      }
      if drops.hasNamed(expected) { return nil }
      guard held == nil, isAnyParked, await arrival(before: limit) else { break }
    }
    let holding = held.map { FailureText.line(of: $0.action, from: $0.source) }
    let text = FailureText.nothingDropped(expected.text(), held: holding, inFlight: inFlight)
    let isFailure = holding != nil ? report(text, at: location) : reportNaming(inFlight, text, at: location)
    if isFailure { drops.owe(expected) }
    return nil
  }

  /// Whether each drop must be expected.
  var areDropsAsserted: Bool { assertsDrops && exhaustivity.isOn }

  /// Fails if actions were dropped that the test has not expected.
  @usableFromInline
  func requireDropsExpected(_ step: @autoclosure () -> String, at location: TestLocation) {
    guard !drops.waiting.isEmpty else { return }
    if areDropsAsserted {
      if report(FailureText.unexpectedDrops(drops.waiting, before: step()), at: location) { drops.nameAll() }
    } else {
      if assertsDrops { note(FailureText.skippedDrops(drops.waiting, before: step()), at: location) }
      drops.skipAll()
    }
  }
}

// MARK: - Noting drops

extension TestStore {
  /// An action was taken from the mailbox whose run was cancelled or has ended.
  @usableFromInline
  func noteDrop(_ action: R.Action, sentBy token: Token) {
    let run = runs[token]
    // What follows from a failure is not reported again.
    if run?.isExcused == true || reportedFailures.namedRuns.contains(token) || reportedFailures.hasLostWork { return }
    let source = runs.description(of: token)
    let cause: Dropped<R.Action>.Cause =
      run?.stop.map { .stopped($0) } ?? (scheduler.isLive(token) ? .withdrawn : .ended)
    drops.add(Dropped(action: action, source: source.map { .run($0) } ?? .unknown, cause: cause))
  }

  /// A `.send` effect of the turn was dropped, because the branch that contains it was cancelled.
  @usableFromInline
  func dropped(followUp action: R.Action) {
    if turn.isExcused || reportedFailures.hasLostWork { return }
    drops.add(Dropped(action: action, source: .turn(of: turn.first), cause: .branch))
  }
}

// MARK: - Texts

extension FailureText {
  static func unexpectedDrops<Action>(_ drops: [Dropped<Action>], before step: String) -> String {
    let isOne = drops.count == 1
    var codes: [StepCode] = []
    for drop in drops.prefix(5) {
      guard let step = expectDrop(drop.action) else { break }
      codes.append(step)
    }
    let advice = steps("expectDrop", for: drops.count, codes, "before this step, because `assertsDrops` is on")
    return """
      \(isOne ? "An action was" : "\(drops.count) actions were") dropped before \(step), and the test does not say so:

      \(shown(drops.map(line)))

      \(advice)\(isOne || codes.isEmpty ? " " : "\n\n")Or fix the run: one that stops when it is cancelled sends nothing that must be dropped.
      """
  }

  /// The step that expects that an action was dropped; `nil` if it cannot be written.
  private static func expectDrop(_ action: any Sendable) -> StepCode? {
    let value = action is any Equatable ? code(action) : nil
    return (value ?? predicate(action)).map { StepCode("await store.expectDrop(\($0))") }
  }

  static func skippedDrops<Action>(_ drops: [Dropped<Action>], before step: String) -> String {
    """
    Not proved, because `exhaustivity` is off: what was dropped before \(step):

    \(shown(drops.map(line)))
    """
  }

  static func otherDropped<Action>(_ expected: String, _ dropped: Dropped<Action>, _ difference: String) -> String {
    """
    Expected that this is dropped: \(expected), but another action was (- expected, + actual):

    \(difference)

    It came from \(describe(dropped.source)), and was dropped because \(describe(dropped.cause)). Drops are expected in \
    the order they happened: expect this one first\(expectDrop(dropped.action).map { ", by `\($0.text)`" } ?? ""), or fix \
    what the run sends.
    """
  }

  static func nothingDropped(_ expected: String, held: String?, inFlight: InFlight) -> String {
    let reason: String
    if let held {
      reason = """
        An action was received, and holds everything behind it:

          \(held)

        Receive it before this step.
        """
    } else if inFlight.isEmpty {
      reason = """
        Nothing is in flight, so nothing can send it. A run that stops when it is cancelled sends nothing more; if this \
        run does that, leave the step out.
        """
    } else {
      reason = waitingFor(inFlight)
    }
    return "Expected that this is dropped: \(expected), but no action was.\n\n\(reason)"
  }

  /// A dropped action, what sent it, and why it was dropped.
  static func line<Action>(of dropped: Dropped<Action>) -> String {
    "\(ValueText.of(dropped.action)) from \(describe(dropped.source)), because \(describe(dropped.cause))"
  }

  private static func describe<Action>(_ source: Dropped<Action>.Source) -> String {
    switch source {
    case .run(let run): place(run)
    case .turn(of: let first?): "a `.send` effect in the turn of \(brief(first))"
    case .turn(of: nil): "a `.send` effect behind a run that ended"
    case .unknown: "a run that has ended"
    }
  }

  private static func describe<Action>(_ cause: Dropped<Action>.Cause) -> String {
    switch cause {
    case .stopped(.effect(of: let action)): "the effect of \(brief(action)) had cancelled that run"
    case .stopped(.sequence): "an effect behind another run, or behind a wait, had cancelled that run"
    case .stopped(.timeout): "that run, or its attempt, had run out of time"
    case .stopped(.step(let step)): "\(step) had cancelled that run"
    case .ended: "that run, or its attempt, had ended: a task outlives it"
    case .withdrawn: "the task that waited for its delivery had been cancelled"
    case .branch: "the branch that contains it had been cancelled"
    }
  }
}
