// This source file is part of swift-effects. License: Apache-2.0.

/// A point of virtual time: of an ``ImmediateClock``, or of a `TestClock` of EffectTesting.
///
/// - Isolation: a value; usable from any thread.
public struct VirtualInstant: InstantProtocol, Hashable, Sendable {
  /// How much virtual time has passed since the clock was made.
  public let offset: Duration

  /// Makes an instant at this offset from the time when the clock was made.
  ///
  /// - Parameter offset: how much virtual time has passed since the clock was made.
  public init(offset: Duration = .zero) {
    self.offset = offset
  }

  /// The instant that is this duration later.
  ///
  /// - Parameter duration: how much later; a negative duration gives an earlier instant.
  /// - Returns: the instant. If it is too late or too early for a `Duration`, the latest or the earliest one.
  public func advanced(by duration: Duration) -> VirtualInstant {
    VirtualInstant(offset: offset.adding(duration))
  }

  /// The duration from this instant to the other.
  ///
  /// - Parameter other: the end of the duration. If it is earlier than this instant, the duration is negative.
  /// - Returns: the duration, limited as in ``advanced(by:)``.
  public func duration(to other: VirtualInstant) -> Duration {
    other.offset.subtracting(offset)
  }

  /// Whether the left comes before the right.
  ///
  /// - Parameters:
  ///   - left: the instant that is earlier if the result is `true`.
  ///   - right: the instant that is later then.
  /// - Returns: `false` if they are equal.
  public static func < (left: VirtualInstant, right: VirtualInstant) -> Bool {
    left.offset < right.offset
  }
}
