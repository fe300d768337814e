// This source file is part of swift-effects. License: Apache-2.0.

/// A run, or one attempt of it, took longer than ``Effect/timeout(after:)`` allows.
///
/// `catch` and the ``Backoff`` of a retry get this error.
public struct EffectTimeout: Error, Hashable, Sendable {
  /// How long it was allowed to take.
  public let limit: Duration

  /// Makes the error, for example the expected one of a test.
  ///
  /// - Parameter limit: the time limit that the run has passed.
  public init(limit: Duration) {
    self.limit = limit
  }
}

extension EffectTimeout: CustomStringConvertible {
  /// `timed out after 2.0 seconds`.
  public var description: String { "timed out after \(limit)" }
}
