// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// An error of a store's clock: it threw although the sleep was not cancelled, or it returned before any time had
/// passed.
struct ClockFailure: Error, CustomStringConvertible {
  /// What the clock threw; `nil` if it returned.
  let error: (any Error)?

  var description: String {
    let fault =
      error.map { "threw \(ValueDescription.of($0)) instead of sleeping" } ?? "came back before any time had passed"
    return """
      waits for its time: the store's clock \(fault), so nothing wakes the store. The store reads the clock only when it \
      handles an action or the end of a run. Give it a clock that sleeps until its deadline or until it is cancelled.
      """
  }
}
