// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// An error that a live run threw and nobody caught (rule E5), an ``OverlapConflict``, a ``SelfCancellation``, a
/// ``/EffectCore/MissingChild``, a
/// run that was not started because it lacks the id that its `debounce` or `throttle` needs, or one that waits on a clock
/// that throws.
///
/// The store and all other effects live on. In a `TestStore` it is a test failure.
public struct EffectFailure: Sendable {
  /// What was thrown.
  public let error: any Error
  /// Which run threw it, arrived last, or was not started: id, input, name and source line.
  public let run: EffectRun

  package init(error: any Error, run: EffectRun) {
    self.error = error
    self.run = run
  }
}

extension EffectFailure: CustomStringConvertible {
  /// What happened, where, and what to do about it.
  public var description: String {
    if let missing = error as? MissingChild { return "\(run.site): \(missing)" }
    if let missing = error as? MissingID { return "\(run.site): \(run): \(missing)" }
    if let wait = error as? WaitsForItself { return "\(run.site): \(run): \(wait)." }
    if let circle = error as? WaitsInCircle { return "\(run.site): \(run) \(circle)." }
    if let clock = error as? ClockFailure { return "\(run.site): \(run) \(clock)" }
    if let conflict = error as? OverlapConflict { return "\(run.site): \(conflict)" }
    if let misuse = error as? SelfCancellation { return "\(misuse.site ?? run.site): \(misuse)" }
    return "\(run.site): \(run) threw \(EffectText.of(error)) and has no `catch`. "
      + "Add `catch: { error, send in ... }` to the run, or catch the error inside it."
  }
}

extension EffectFailure {
  /// The same for failures that are worth one report.
  var key: String {
    (error as? OverlapConflict)?.key ?? (error as? SelfCancellation)?.key ?? run.site.description
  }
}
