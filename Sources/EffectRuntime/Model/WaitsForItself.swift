// This source file is part of swift-effects. License: Apache-2.0.

/// A run waited for something that can only happen after the run has ended.
package struct WaitsForItself: Error, CustomStringConvertible {
  /// What it waited for.
  ///
  /// A dispatch by `finish()` or `request`, or the end of the store by `shutdown`.
  package enum Goal: Sendable { case dispatch, shutdown }

  private let goal: Goal

  /// Makes the error.
  package init(_ goal: Goal) {
    self.goal = goal
  }

  /// What happened, and what to do about it.
  package var description: String {
    switch goal {
    case .dispatch:
      "a wait for itself: `finish()` or `request` was called inside a run that belongs to the same sent action. The wait "
        + "would never end, because the action settles only when this run has ended. Wait outside the run, or send an "
        + "action from it instead"
    case .shutdown:
      "a wait for itself: `shutdown` was called inside a run of the same store. The shutdown has begun, but this run cannot "
        + "wait for it, because the store ends only when this run has ended. Call it outside the runs"
    }
  }
}
