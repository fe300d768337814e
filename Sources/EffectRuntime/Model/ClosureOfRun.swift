// This source file is part of swift-effects. License: Apache-2.0.

/// The closure of a run that was handed over to tasks, as the scheduler sees it.
@usableFromInline
protocol ClosureOfRun: AnyObject, Sendable {
  /// Prevents the call of the closure if no task has called it or is about to. Returns whether one has, or is.
  ///
  /// Called on the store's isolation, before the run is cancelled by other means.
  func cancelUnlessCalled() -> Bool
}
