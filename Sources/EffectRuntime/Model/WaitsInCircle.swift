// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Runs of one store wait for each other: none of them can end before another one has (rule L2).
package struct WaitsInCircle: Error, CustomStringConvertible {
  /// The other work of the circle, from what the run waits for back to it.
  package let others: [EffectRun]

  /// The whole circle, and what to do about it.
  package var description: String {
    let list = others.map { "\($0) at \($0.site)" }.joined(separator: ", which waits for ")
    return "waits in a circle: `finish()` or `request` waits for \(list), which waits for this run. "
      + "The wait was ended. Send an action when the work is done instead, or wait outside the runs"
  }
}
