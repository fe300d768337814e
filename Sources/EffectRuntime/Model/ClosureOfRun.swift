// This source file is part of swift-effects. License: Apache-2.0.

/// The closure of a run that was handed over to tasks, as the scheduler sees it.
@usableFromInline
protocol ClosureOfRun: AnyObject, Sendable {
  /// Whether a task has called the closure, or is about to. If not, the closure is never called from now on.
  ///
  /// Called on the store's isolation, before the run is cancelled by other means.
  func cancelUnlessCalled() -> Bool
}
