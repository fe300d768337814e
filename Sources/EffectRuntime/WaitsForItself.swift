// This source file is part of swift-effects. License: Apache-2.0.

/// A run waited for its own dispatch, which cannot settle before the run does.
package struct WaitsForItself: Error, CustomStringConvertible {
  package init() {}

  package var description: String {
    "a wait for itself: `finish()` was called inside a run of the same dispatch, which settles only when that run has "
      + "ended. Wait outside the run, or send an action from it instead"
  }
}
