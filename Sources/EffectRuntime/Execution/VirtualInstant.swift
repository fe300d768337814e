// This source file is part of swift-effects. License: Apache-2.0.

/// A point of virtual time, of a `TestClock` of EffectTesting.
///
/// - Isolation: a value; usable from any thread.
public struct VirtualInstant: InstantProtocol, Hashable, Sendable {
  /// How much virtual time has passed since the clock was made.
  public let offset: Duration
  /// The number of the reading of a clock that it was computed from; zero for any other instant. Not compared.
  package let reading: UInt64

  /// Makes an instant at this offset from the time when the clock was made.
  ///
  /// - Parameter offset: how much virtual time has passed since the clock was made.
  public init(offset: Duration = .zero) {
    self.init(offset: offset, reading: 0)
  }

  package init(offset: Duration, reading: UInt64) {
    self.offset = offset
    self.reading = reading
  }

  /// The instant that is this duration later.
  ///
  /// - Parameter duration: how much later; a negative duration gives an earlier instant.
  /// - Returns: the instant. If it is too late or too early for a `Duration`, the latest or the earliest one.
  public func advanced(by duration: Duration) -> VirtualInstant {
    VirtualInstant(offset: offset.adding(duration), reading: reading)
  }

  /// The duration from this instant to the other.
  ///
  /// - Parameter other: the end of the duration. If it is earlier than this instant, the duration is negative.
  /// - Returns: the duration, limited as in ``advanced(by:)``.
  public func duration(to other: VirtualInstant) -> Duration {
    other.offset.subtracting(offset)
  }

  /// Whether both are at the same offset.
  ///
  /// - Parameters:
  ///   - left: an instant.
  ///   - right: another one.
  /// - Returns: `true` if no time is between them.
  public static func == (left: VirtualInstant, right: VirtualInstant) -> Bool {
    left.offset == right.offset
  }

  /// Feeds the offset into a hasher.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(offset)
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
