// This source file is part of swift-effects. License: Apache-2.0.

/// The closure of a run that was handed over to tasks, as the scheduler sees it.
@usableFromInline
protocol ClosureOfRun: AnyObject, Sendable {
  /// Whether a task has called the closure. If none has, none will: the run is about to be cancelled.
  func wasCalled() -> Bool
}
