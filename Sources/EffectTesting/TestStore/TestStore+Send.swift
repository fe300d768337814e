// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

// MARK: - Sending

extension TestStore {
  /// Sends an action, as the user or the system would. With a closure it must change the state, and without one it must
  /// not.
  ///
  /// - Parameters:
  ///   - action: what happens.
  ///   - expect: turns the state before into the state expected after; `nil` if it must stay the same. Called once,
  ///     unless the step fails. An error that it throws is a failure.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Returns: what was sent, to wait for or to cancel what it causes. You may discard it.
  /// - Ordering: reduces before it returns, and lets the runs it starts execute until each one has ended or waits. An
  ///   action that is held must be received first.
  /// - Errors: another state than the expected one is a failure. With ``exhaustivity`` on, so is a closure that changes
  ///   nothing: leave it out. After a ``shutdown(_:fileID:filePath:line:column:)`` the action is refused: with a closure
  ///   that is a failure, and without one ``SentAction/isRefused`` is `true`.
  @inlinable
  @discardableResult
  public func send(
    _ action: R.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ expect: ((inout R.State) throws -> Void)? = nil
  ) -> SentAction<R> {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return send(action, at: location, expectsChange: expect != nil, expect ?? { _ in })
  }

  @inlinable
  func send(
    _ action: R.Action, at location: TestLocation, expectsChange: Bool, _ expect: (inout R.State) throws -> Void
  ) -> SentAction<R> {
    guard begin(step(of: action), at: location) else { return SentAction(store: self, number: 0) }
    requireNothingHeld(step(of: action), at: location)
    if ending.hasBegun { return refuse(action, expectsChange: expectsChange, at: location) }
    // Not by `state`: it is not inlinable, so a module of features could not specialise it.
    let before = engine.state
    engine.stackCounter.mark()
    let number = reduceSent(action)
    check(before, expectsChange: expectsChange, after: sending(action), at: location, expect)
    executeWhatIsDue()
    return SentAction(store: self, number: number)
  }

  @usableFromInline
  func step(of action: R.Action) -> String { "send(\(FailureText.brief(action)))" }

  @usableFromInline
  func sending(_ action: R.Action) -> String { "sending \(FailureText.brief(action))" }

  /// Compares the state with what was expected of a step.
  @inlinable
  func check(
    _ before: R.State, expectsChange: Bool, after step: @autoclosure () -> String,
    at location: TestLocation,
    _ expect: (inout R.State) throws -> Void
  ) {
    engine.stackCounter.repeating { compare(before, expectsChange: expectsChange, after: step(), at: location, expect) }
  }

  @inlinable
  func compare(
    _ before: R.State, expectsChange: Bool, after step: @autoclosure () -> String, at location: TestLocation,
    _ expect: (inout R.State) throws -> Void
  ) {
    guard exhaustivity.isOn else { return checkLoosely(before, after: step(), at: location, expect) }
    var expected = before
    do {
      try expect(&expected)
    } catch {
      return reportThrow(error, after: step(), at: location)
    }
    // In this order, and each once, because comparing states may take long.
    if !comparison.areEqual(expected, engine.state) {
      reportDifference(before, expected, expectsChange: expectsChange, after: step(), at: location)
    } else if expectsChange, comparison.isUnchanged(expected, before) {
      reportNoChange(after: step(), at: location)
    }
  }

  @usableFromInline
  func reportDifference(
    _ before: R.State, _ expected: R.State, expectsChange: Bool, after step: String, at location: TestLocation
  ) {
    if reportedFailures.isChildMissing { return }
    let difference = comparison.difference(expected, state)
    if let advice = adviceToReceive(where: { comparison.areEqual($0, expected) }) {
      reportState(FailureText.stateDiffers(difference, after: step, advice), at: location)
      return
    }
    var text =
      expectsChange
      ? FailureText.stateDiffers(
        difference, after: step, isUnchanged: comparison.areEqual(before, state),
        code: ChangeCode(from: before, to: state), correction: ChangeCode(from: expected, to: state))
      : FailureText.unexpectedChange(difference, after: step, code: ChangeCode(from: before, to: state))
    if step.hasPrefix("receiving") { text += FailureText.olderAnswer(log.events) }
    reportState(text, at: location)
  }

  @usableFromInline
  func reportNoChange(after step: String, at location: TestLocation) {
    if !reportedFailures.isChildMissing { reportState(noChange(after: step), at: location) }
  }

  private func noChange(after step: String) -> String {
    FailureText.noChange(after: step, isPart: !comparison.remark(engine.state).isEmpty)
  }

  @usableFromInline
  func reportThrow(_ error: any Error, after step: String, at location: TestLocation) {
    if !reportedFailures.isChildMissing { report(FailureText.expectationThrew(error, after: step), at: location) }
  }

  /// Compares only what the closure sets: given the state after the step, it must change nothing.
  @usableFromInline
  func checkLoosely(
    _ before: R.State, after step: @autoclosure () -> String, at location: TestLocation,
    _ expect: (inout R.State) throws -> Void
  ) {
    var expected = state
    do {
      try expect(&expected)
    } catch {
      return reportThrow(error, after: step(), at: location)
    }
    if !comparison.areEqual(expected, state) {
      if reportedFailures.isChildMissing { return }
      let difference = comparison.difference(expected, state)
      // What the closure sets must be there once the held action has been reduced.
      let advice = adviceToReceive { after in
        var expected = after
        try? expect(&expected)
        return comparison.areEqual(after, expected)
      }
      reportState(FailureText.stateDiffers(difference, after: step(), advice ?? FailureText.looseAdvice), at: location)
    } else if !comparison.areEqual(before, state) {
      let difference = comparison.difference(before, state)
      note(FailureText.skippedChange(difference, by: step()) + comparison.remark(state), at: location)
    }
  }

  /// What to write if the next action of the turn, which is held, makes the expected change; `nil` if it does not.
  private func adviceToReceive(where isExpected: (R.State) -> Bool) -> String? {
    guard engine.hasFollowUps, !(R.State.self is AnyClass) else { return nil }
    continueTurn()
    guard let held, let after = stateAfter(held), isExpected(after) else { return nil }
    return FailureText.changedByHeld(
      FailureText.line(of: held.action, from: held.source, isBrief: true),
      step: FailureText.receive(held.action, ChangeCode(from: state, to: after)))
  }

  /// The step that receives a held action; `nil` if it cannot be written.
  func stepToReceive(_ held: Held<R.Action>) -> StepCode? {
    guard let after = stateAfter(held) else { return nil }
    // A closure that changes nothing that is compared would be a failure.
    let new = comparison.areEqual(state, after) ? state : after
    return FailureText.receive(held.action, ChangeCode(from: state, to: new))
  }

  /// The state in which a held action would result. It is reduced in a copy, and a state that is an object has none.
  private func stateAfter(_ held: Held<R.Action>) -> R.State? {
    if R.State.self is AnyClass { return nil }
    var after = state
    _ = StackCounter(engine.stackCounter.numbers).count { reducer.reduce(into: &after, action: held.action) }
    return after
  }

  /// Every step begins here. Returns `false` after `finish()`, when steps prove nothing any more, and inside another
  /// step.
  @inlinable
  @discardableResult
  func begin(_ step: @autoclosure () -> String, at location: TestLocation, isReceive: Bool = false) -> Bool {
    if isFinished {
      reportLateness(of: step(), at: location)
      return false
    }
    if isInside {
      reportInside(step(), at: location)
      return false
    }
    self.location = location
    hasSteps = true
    if !isReceive { reportedFailures.isSilent = false }
    return true
  }

  /// Whether the caller is the reducer or a run, in the middle of a step, and not the test.
  @usableFromInline
  var isInside: Bool { phase.value != .resting || mailbox.surroundingRun != .none }

  /// Traps while the engine is being changed: a query has no answer then.
  func requireOutside(_ name: String) {
    guard phase.value != .resting else { return }
    let text = FailureText.readInside(name, isReducing: phase.value == .reducing)
    fatalError(text, file: location.fileID, line: location.line)
  }

  @usableFromInline
  func reportInside(_ step: @autoclosure () -> String, at location: TestLocation) {
    report(FailureText.inside(step(), phase.value), at: location)
  }

  @usableFromInline
  func reportLateness(of step: @autoclosure () -> String, at location: TestLocation) {
    // Once: all steps after a `finish()` that is called too early are the same mistake.
    if reportedFailures.hasToldLateness { return }
    reportedFailures.hasToldLateness = report(FailureText.afterFinish(step()), at: location)
  }

  /// Fails if an action is held or was dropped without being expected. Reduces all held actions, so that the next step begins
  /// in the state that the feature would have by then.
  @inlinable
  func requireNothingHeld(_ step: @autoclosure () -> String, at location: TestLocation) {
    goOn()
    if held != nil { reduceUnhandled(before: step(), at: location) }
    // Nearly always there are none.
    if drops.waiting.count > 0 { requireDropsExpected(step(), at: location) }
  }

  @usableFromInline
  func reduceUnhandled(before step: @autoclosure () -> String, at location: TestLocation) {
    var actions = ActionCount()
    // The steps that receive the first of them.
    var code: [StepCode] = []
    let endlessTurns = reportedFailures.endlessTurns
    let former = (reportedFailures, runs: runs.excused)
    let hint = unmatchedHint(held)
    var isFailure = true
    let sender = senderInTurn(of: held)
    while let next = held, !actions.isEndless(executor.actionLimit) {
      let isNamed = actions.total > 0 || !isExcused(next)
      // No step behind an action whose step cannot be written: they are received in order.
      let before = code.count == actions.total && code.count < 5 ? state : nil
      let now = clock.now.offset
      if exhaustivity.isOn { reduceExcused(next) } else { reduceHeld(next) }
      // An action for a child that does not exist is one mistake, and has been reported.
      let isCounted = isNamed && !reportedFailures.isChildMissing
      actions.add(at: now, line: isCounted ? FailureText.line(of: next.action, from: next.source) : nil)
      if isCounted, let before { add(next.action, since: before, to: &code) }
      goOn()
    }
    if reportedFailures.endlessTurns > endlessTurns {
      // The endless turn has been reported, and all its actions with it.
    } else if actions.total > 0, exhaustivity.isOn || held != nil {
      isFailure = report(
        FailureText.unhandled(
          actions, code: code, isEndless: held != nil, before: step(), turn: letsTimePass(step()) ? sender : nil)
          + hint,
        at: location)
    } else if actions.total > 0 {
      note(FailureText.skipped(actions, before: step()), at: location)
    }
    if !isFailure {
      reportedFailures = former.0
      runs.excuseOnly(former.runs)
    }
    // If an action is still held, runs and reducers answer one another without end. So this work is cancelled.
    dropEverything(isReported: isFailure)
  }

  /// The action in whose turn a held one was sent by `.send`.
  private func senderInTurn(of held: Held<R.Action>?) -> String? {
    guard case .turn(of: let first?)? = held?.source else { return nil }
    return FailureText.brief(first)
  }

  private func letsTimePass(_ step: String) -> Bool { step.hasPrefix("advance") }

  /// Adds the step that receives an action which has been reduced, if it can be written.
  private func add(_ action: R.Action, since before: R.State, to code: inout [StepCode]) {
    // A closure that changes nothing that is compared would be a failure.
    let after = comparison.areEqual(before, state) ? before : state
    guard let step = FailureText.receive(action, ChangeCode(from: before, to: after)) else { return }
    code.append(step)
  }
}

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
    engine.stackCounter.mark()
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
