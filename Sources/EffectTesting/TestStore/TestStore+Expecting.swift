// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

/// What a test expects to receive, or to be dropped.
@usableFromInline
struct Expected<Action: Sendable> {
  let text: () -> String
  /// How an action differs from the expected one; `nil` if it is accepted.
  let difference: (Action) -> String?

  @usableFromInline
  init(_ action: Action) where Action: Equatable {
    text = { FailureText.brief(action) }
    difference = { Sameness.areSame($0, action) ? nil : StateDifference(from: action, to: $0).indented }
  }

  init(where isExpected: @escaping (Action) -> Bool) {
    text = { "an action that the predicate accepts" }
    difference = { isExpected($0) ? nil : "  + \(ValueText.of($0))" }
  }

  init<Value>(_ path: CasePath<Action, Value>) {
    text = { "an action with a value of type \(Value.self) at the case path" }
    difference = { path.extract($0) == nil ? "  + \(ValueText.of($0))" : nil }
  }

  init<Payload>(_ case: ActionCase<Action, Payload>, at location: TestLocation) {
    text = {
      let line = SourceLine(at: location).text
      return "an action of the case that the test names" + (line.map { ": `\($0)`" } ?? "")
    }
    difference = { action in
      do throws(CaseFault) {
        return try `case`.payload(of: action) == nil ? "  + \(ValueText.of(action))" : nil
      } catch {
        return "  + \(ValueText.of(action))\n\nThe test does not pass the name of a case: \(error)."
      }
    }
  }

  init(oneOf actions: [Action], of count: Int) where Action: Equatable {
    text = {
      let texts = actions.map { FailureText.brief($0) }
      let what = texts.count == 1 ? texts[0] : "one of \(texts.joined(separator: ", "))"
      return texts.count < count ? "\(what) (the rest of this step has come)" : what
    }
    difference = { action in
      guard !actions.contains(where: { Sameness.areSame($0, action) }) else { return nil }
      let lines = actions.map { "  - \(ValueText.of($0))" } + ["  + \(ValueText.of(action))"]
      return lines.joined(separator: "\n")
    }
  }

  func accepts(_ action: Action) -> Bool { difference(action) == nil }
}

// MARK: - Expecting

extension TestStore {
  /// A short path for the most frequent case: receives the held action if it is this one. Returns `false` otherwise.
  @inlinable
  func receiveHeld(
    _ action: R.Action, at location: TestLocation, _ expect: ((inout R.State) throws -> Void)?
  ) -> Bool where R.Action: Equatable {
    guard !isFinished, let next = held, Sameness.areSame(next.action, action), !isInside else { return false }
    begin("", at: location, isReceive: true)
    complete(next, at: location, expectsChange: expect != nil, expect ?? { _ in })
    return true
  }

  @usableFromInline
  @discardableResult
  func receive(
    _ expected: Expected<R.Action>, at location: TestLocation, isolation: isolated (any Actor)?,
    _ expect: ((inout R.State) throws -> Void)?
  ) async -> R.Action? {
    guard begin("receive(\(expected.text()))", at: location, isReceive: true) else { return nil }
    guard let next = await find(expected, at: location, isolation: isolation) else { return nil }
    complete(next, at: location, expectsChange: expect != nil, expect ?? { _ in })
    return next.action
  }

  @inlinable
  func complete(
    _ next: Held<R.Action>, at location: TestLocation, expectsChange: Bool, _ expect: (inout R.State) throws -> Void
  ) {
    if reportedFailures.hasFailures { reportedFailures.received(next.action) }
    let before = engine.state
    engine.stackCounter.mark()
    reduceHeld(next)
    check(before, expectsChange: expectsChange, after: receiving(next), at: location, expect)
    goOn()
  }

  @usableFromInline
  func receiving(_ held: Held<R.Action>) -> String {
    "receiving \(FailureText.line(of: held.action, from: held.source, isBrief: true))"
  }

  func receive(
    unordered actions: [R.Action], at location: TestLocation, isolation: isolated (any Actor)?,
    _ expect: ((inout R.State) throws -> Void)?
  ) async where R.Action: Equatable {
    func step() -> String { "receiving \(actions.map { FailureText.brief($0) }.joined(separator: ", "))" }
    guard begin("receive(unordered:)", at: location, isReceive: true) else { return }
    if actions.isEmpty {
      goOn()
      report(FailureText.receivesNothing(held: held?.action), at: location)
      return
    }
    let before = state
    engine.stackCounter.mark()
    var left = actions
    while !left.isEmpty {
      let next = await find(
        Expected(oneOf: left, of: actions.count), at: location, isolation: isolation, owing: left.map { Expected($0) })
      guard let next else { return }
      if let index = left.firstIndex(where: { Sameness.areSame($0, next.action) }) { left.remove(at: index) }
      reportedFailures.received(next.action)
      reduceHeld(next)
    }
    check(before, expectsChange: expect != nil, after: step(), at: location, expect ?? { _ in })
    goOn()
  }

  /// Waits for the expected action, and skips what may be skipped; `nil` if that failed. With `owed`, all of these
  /// expectations count as failed then, not only this one.
  private func find(
    _ expected: Expected<R.Action>, at location: TestLocation, isolation: isolated (any Actor)?,
    owing owed: [Expected<R.Action>]? = nil
  ) async -> Held<R.Action>? {
    var skipped = ActionCount()
    while await awaitHeld(expected, isolation: isolation), let next = held {
      guard let difference = expected.difference(next.action) else {
        if skipped.total > 0 { note(FailureText.skipped(skipped, before: "receive(\(expected.text()))"), at: location) }
        return next
      }
      if isExcused(next) {
        reduceExcused(next)
      } else if !exhaustivity.isOn, !skipped.isEndless(executor.actionLimit) {
        skipped.add(at: clock.now.offset, line: FailureText.line(of: next.action, from: next.source))
        reduceHeld(next)
      } else if !reportedFailures.hasReported(expected) {
        let order = orderOfArrival(from: next, to: expected)
        let text =
          FailureText.otherReceived(
            expected.text(), from: next.source, difference, step: stepToReceive(next), order: order)
          + unmatchedHint(next)
        if report(text, at: location) { reportedFailures.expected(owed ?? [expected], found: true) }
        return nil
      } else {
        return nil
      }
    }
    if reportedFailures.hasReported(expected) { return nil }
    if !reportedFailures.explainsSilence(isIdle: isIdle) {
      let text = FailureText.nothingReceived(expected.text(), skipped: skipped, inFlight: inFlight)
      guard reportNaming(inFlight, text, at: location) else { return nil }
    }
    reportedFailures.expected(owed ?? [expected], found: false)
    return nil
  }

  /// Waits until an action is held; `false` if none can come, or if reported failures explain why none comes.
  private func awaitHeld(_ expected: Expected<R.Action>, isolation: isolated (any Actor)?) async -> Bool {
    let limit = waitLimit
    // A test that waits in real time is slow, and may be slower elsewhere: the note says why.
    var toTell = noticesWaits ? ContinuousClock.now + .milliseconds(100) : limit
    while true {
      goOn()
      if held != nil { return true }
      if answerEarlyCalls() { continue }
      if reportedFailures.knows(expected) || reportedFailures.explainsSilence(isIdle: isIdle) { return false }
      guard isAnyParked else { return false }
      if await arrival(before: min(toTell, limit)) { continue }
      guard toTell < limit, !Task.isCancelled else { return false }
      toTell = limit
      if executor.isRestless { continue }
      let parked = inFlight.only(\.isOutside)
      Reporter.note(FailureText.waitsInRealTime(expected.text(), parked), at: location)
    }
  }

  /// The actions of runs from the held one to the expected one, with what sent them. Empty if the expected one has not come.
  private func orderOfArrival(from held: Held<R.Action>, to expected: Expected<R.Action>) -> [String] {
    takeMailBehindHeld()
    var lines = [FailureText.line(of: held.action, from: held.source)]
    for message in batch[position...] {
      let (action, token): (R.Action, Token)
      switch message {
      case .sent(let sent, let by), .order(.delivered(let sent, let by, _)), .order(.late(let sent, let by, _, _)):
        (action, token) = (sent, by)
      default: continue
      }
      guard let run = runs[token], scheduler.isLive(token) else { continue }
      lines.append(FailureText.line(of: action, from: .run(run)))
      if expected.accepts(action) { return lines }
    }
    return []
  }

  /// Until when a step that begins now waits for work outside of the test's control.
  var waitLimit: ContinuousClock.Instant {
    // Sleeping tasks count nanoseconds, so a longer wait could overflow. A hundred years are enough.
    ContinuousClock.now + min(max(externalWait, .zero), .seconds(100 * 365 * 86_400))
  }
}
