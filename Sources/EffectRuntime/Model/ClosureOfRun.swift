// This source file is part of swift-effects. License: Apache-2.0.

/// The closure of a run that was handed over to tasks, as the engine sees it.
@usableFromInline
package protocol ClosureOfRun: AnyObject, Sendable {
  /// Prevents the call of the closure if no task has called it or is about to. Returns whether one has, or is.
  ///
  /// Called on the store's isolation, before the run is cancelled by other means.
  func cancelUnlessCalled() -> Bool

  /// The failure for an action that it has sent after it had returned; `nil` if there was one before.
  func takeLateFailure() -> EffectFailure?
}
