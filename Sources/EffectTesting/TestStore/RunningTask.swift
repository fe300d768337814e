// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// A run whose closure has not returned.
@usableFromInline
final class RunningTask {
  @usableFromInline let task: Task<Void, Never>
  @usableFromInline let token: Token
  @usableFromInline let number: Int
  /// The action whose effect it is; `nil` if it waited for the end of another run.
  @usableFromInline let cause: (any Sendable)?
  /// Whether it follows from an action that a failure has named.
  @usableFromInline var isExcused: Bool
  /// The time before the last move of the clock that happened while the run was suspended outside of the test's
  /// control.
  @usableFromInline var missed: Duration?
  /// What has cancelled it.
  @usableFromInline var stop: Stop?
  @usableFromInline let description: () -> EffectRun

  @inlinable
  init(
    task: Task<Void, Never>, token: Token, number: Int, cause: (any Sendable)?, isExcused: Bool,
    description: @escaping () -> EffectRun
  ) {
    self.task = task
    self.token = token
    self.number = number
    self.cause = cause
    self.isExcused = isExcused
    self.description = description
  }

  /// Its id, input and source line, for failure texts.
  @usableFromInline
  var run: EffectRun { description() }
}
