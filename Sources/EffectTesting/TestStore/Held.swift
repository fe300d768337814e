// This source file is part of swift-effects. License: Apache-2.0.

/// An action that has arrived and waits until the test receives it.
// It is an object, and `TurnRecord` is not generic over the action. Code that is not compiled for the type of the action
// must look up the metadata of a generic value, and this takes longer than most of what a step does.
@usableFromInline
final class Held<Action: Sendable> {
  @usableFromInline let action: Action
  @usableFromInline let source: HeldSource
  /// Whether it follows from an action that a failure has named.
  @usableFromInline let isExcused: Bool

  @inlinable
  init(action: Action, source: HeldSource, isExcused: Bool) {
    self.action = action
    self.source = source
    self.isExcused = isExcused
  }
}

/// What sent a held action.
@usableFromInline
enum HeldSource {
  case run(RunningTask)
  /// A `.send` effect, in the turn that this action began; `nil` if the end of a run or a deadline began the turn.
  case turn(of: (any Sendable)?)
}
