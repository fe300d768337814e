// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Actions that were dropped and that the test has not expected yet, as a value. It also keeps what failures have reported
/// about drops, so that one mistake is one failure.
@usableFromInline
struct Drops<Action: Sendable> {
  @usableFromInline private(set) var waiting: [Dropped<Action>] = []
  /// Expectations that failed because nothing was dropped: an action that they accept may be dropped later.
  private var owed: [Expected<Action>] = []
  /// Dropped actions that failures have named. A later expectation of one of them does not fail again.
  private var named: [Action] = []

  mutating func add(_ dropped: Dropped<Action>) {
    if let index = owed.firstIndex(where: { $0.accepts(dropped.action) }) {
      owed.remove(at: index)
    } else {
      waiting.append(dropped)
    }
  }

  mutating func removeFirst() -> Dropped<Action>? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Moves all that wait to the named ones, because a failure has named them.
  mutating func nameAll() {
    named += waiting.map(\.action)
    waiting = []
  }

  /// Removes all that wait, because the test need not expect them.
  mutating func skipAll() {
    waiting = []
  }

  /// Called when a failure has reported that another action was dropped than the expected one. Removes the actions up to the
  /// expected one; those before it count as named. If the expected one has not been dropped, only the first action is
  /// removed, and counts as named.
  mutating func pass(_ expected: Expected<Action>) {
    let index = waiting.firstIndex { expected.accepts($0.action) }
    named += waiting[..<(index ?? 1)].map(\.action)
    waiting.removeFirst(index.map { $0 + 1 } ?? 1)
  }

  /// Whether a failure has named an action that the expectation accepts. Returns `true` once for each such action.
  mutating func hasNamed(_ expected: Expected<Action>) -> Bool {
    guard let index = named.firstIndex(where: { expected.accepts($0) }) else { return false }
    named.remove(at: index)
    return true
  }

  /// Keeps an expectation that has failed because nothing was dropped.
  mutating func owe(_ expected: Expected<Action>) {
    owed.append(expected)
  }
}

/// An action that was not reduced, because what sent it was cancelled or has ended (rule E1).
@usableFromInline
struct Dropped<Action: Sendable> {
  let action: Action
  let source: Source
  let cause: Cause

  enum Source {
    case run(EffectRun)
    /// A `.send` effect in the turn of an action; `nil` for one after the end of a run.
    case turn(of: (any Sendable)?)
    /// A run that ended while the test did not assert drops.
    case unknown
  }

  enum Cause {
    case stopped(Stop)
    /// The run, or the attempt of it, had ended.
    case ended
    /// The task that waited for its delivery was cancelled.
    case withdrawn
    /// The branch of effects that contains the `.send` was cancelled.
    case branch
  }
}

/// What has cancelled a run.
@usableFromInline
enum Stop {
  /// The effect of an action: a cancel, or a run that replaces it.
  case effect(of: any Sendable)
  /// An effect that came after the end of a run, or after a wait.
  case sequence
  /// Its time limit.
  case timeout
  /// A step of the test.
  case step(String)
}
