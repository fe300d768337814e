// This source file is part of swift-effects. License: Apache-2.0.

/// The record of the current turn.
@usableFromInline
struct TurnRecord {
  /// The action it began with.
  @usableFromInline var first: (any Sendable)?
  /// The action whose effect is interpreted.
  @usableFromInline var current: (any Sendable)?
  /// The run whose end or time limit began it.
  @usableFromInline var ended: RunningTask?
  @usableFromInline var count = 0
  /// How many of the engine's outputs have been checked for runs that start when it has ended.
  @usableFromInline var starts = 0
  /// The last actions of a turn that is near its limit or has exceeded it.
  @usableFromInline var latest: [any Sendable] = []
  /// Whether it follows from an action that a failure has named.
  @usableFromInline var isExcused = false

  @inlinable
  init() {}
}
