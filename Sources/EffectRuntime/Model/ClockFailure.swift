// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// An error of a store's clock: it threw although the sleep was not cancelled, or it returned before any time had
/// passed.
@usableFromInline
package struct ClockFailure: Error, CustomStringConvertible {
  /// What the clock was needed for.
  enum Purpose {
    /// Work that waits for its time.
    case wait
    /// The limit of a shutdown.
    case limit
  }

  let purpose: Purpose
  /// What the clock threw; `nil` if it returned.
  let error: (any Error)?

  init(_ purpose: Purpose, error: (any Error)?) {
    self.purpose = purpose
    self.error = error
  }

  @usableFromInline package var description: String {
    let fault =
      error.map { "threw \(ValueDescription.brief($0)) instead of sleeping" } ?? "came back before any time had passed"
    let advice = "Give it a clock that sleeps until its deadline or until it is cancelled."
    return switch purpose {
    case .wait:
      """
      waits for its time: the store's clock \(fault), so nothing wakes the store. The store reads the clock only when it \
      handles an action or the end of a run. \(advice)
      """
    case .limit:
      """
      is cancelled before the time limit of `shutdown(_:)`: the store's clock \(fault), so the store cannot wait for the \
      limit. \(advice)
      """
    }
  }
}
