// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// What follows from failures that have been reported. The goal: one mistake of a test is one failure.
///
/// Nothing here has any effect before the first failure. So it can hide consequences, but it cannot make a failing test
/// pass. A known issue is no failure, so it has no effect either. What is hidden appears as soon as the first mistake
/// is fixed.
@usableFromInline
struct ReportedFailures<Action: Sendable> {
  /// Expectations that failed. A late action that one of them accepts is no failure of its own.
  private var owed: [Expected<Action>] = []
  /// Actions that failures have named and that were reduced. A later `receive` of one of them does not fail again.
  private var reported: [Action] = []
  /// Whether the held action has been named by a failure.
  var isHeldReported = false
  /// Runs in flight that failures have named.
  private(set) var namedRuns: Set<Token> = []
  /// Whether a `receive` or `settle` has failed because nothing came. Reset by a step that sends, cancels or lets time pass,
  /// and by an action that is received as expected.
  @usableFromInline var isSilent = false
  /// Whether a failure has caused the loss of actions: a run threw, or endless work was dropped.
  @usableFromInline var hasLostWork = false
  /// Whether the action that was reduced last was for a child that does not exist. A failure has named it.
  @usableFromInline var isChildMissing = false
  /// How many turns had no end and were dropped.
  @usableFromInline var endlessTurns = 0

  @usableFromInline private(set) var hasFailures = false
  /// Whether a step after `finish()` has been reported.
  @usableFromInline var hasToldLateness = false

  // MARK: - Noting

  @usableFromInline
  mutating func failed() {
    hasFailures = true
  }

  mutating func named(_ tokens: some Sequence<Token>) {
    namedRuns.formUnion(tokens)
  }

  /// A `receive` failed: because another action was held (`found`), or because no action came.
  mutating func expected(_ expectations: [Expected<Action>], found: Bool) {
    owed += expectations
    if found { isHeldReported = true } else { isSilent = true }
  }

  /// An action has been received as the test says.
  @usableFromInline
  mutating func received(_ action: Action) {
    guard hasFailures else { return }
    isHeldReported = false
    isSilent = false
    pay(action)
  }

  /// An action has been reduced that a failure names, or that follows from one.
  mutating func reduced(_ action: Action) {
    isHeldReported = false
    pay(action)
    reported.append(action)
  }

  private mutating func pay(_ action: Action) {
    if let index = owed.firstIndex(where: { $0.accepts(action) }) { owed.remove(at: index) }
  }

  // MARK: - Queries

  /// Whether an expectation that failed before would have accepted the action.
  func wasExpected(_ action: Action) -> Bool {
    owed.contains { $0.accepts(action) }
  }

  /// Whether failures have named an action that the test expects now.
  func knows(_ expectation: Expected<Action>) -> Bool {
    reported.contains { expectation.accepts($0) }
  }

  /// The same, once for each such action.
  mutating func hasReported(_ expectation: Expected<Action>) -> Bool {
    guard let index = reported.firstIndex(where: { expectation.accepts($0) }) else { return false }
    reported.remove(at: index)
    return true
  }

  /// Whether a reported failure already explains that no action comes.
  func explainsSilence(isIdle: Bool) -> Bool {
    isSilent || (hasLostWork && isIdle)
  }
}

// MARK: - In the store

extension TestStore {
  /// Reports a failure that names what is in flight.
  ///
  /// - Returns: whether it fails the test. After a known issue nothing is excused.
  @usableFromInline
  @discardableResult
  func reportNaming(_ inFlight: InFlight, _ text: String, at location: TestLocation) -> Bool {
    guard report(text + unmatchedHint(inFlight), at: location) else { return false }
    reportedFailures.named(inFlight.runs.map(\.token))
    return true
  }

  /// Whether a held action follows from a failure that has been reported.
  func isExcused(_ held: Held<R.Action>) -> Bool {
    guard reportedFailures.hasFailures else { return false }
    return reportedFailures.isHeldReported || held.isExcused || reportedFailures.wasExpected(held.action)
  }

  /// Reduces a held action that a failure has named or that follows from a failure. What it causes follows from the
  /// failure too.
  func reduceExcused(_ held: Held<R.Action>) {
    reportedFailures.reduced(held.action)
    turn.isExcused = true
    reduceHeld(held)
  }

  /// What is in flight and does not follow from failures that have been reported.
  var unexplained: InFlight {
    inFlight.only { !$0.isExcused && !reportedFailures.namedRuns.contains($0.token) }
  }
}
