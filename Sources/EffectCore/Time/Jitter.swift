// This source file is part of swift-effects. License: Apache-2.0.

/// How far the waits of a ``Backoff`` are spread at random, so that many clients that failed together do not retry
/// together.
///
/// The random numbers follow from a seed and the number of the attempt alone: the same seed gives the same waits, in a test
/// and everywhere else. Clients with the same seed come back at the same moments, so give each client a seed of its own,
/// in its state.
public struct Jitter: Hashable, Sendable {
  private let shortest: Double
  private let longest: Double
  private let seed: UInt64

  private init(_ shortest: Double, _ longest: Double, seed: UInt64) {
    self.shortest = shortest
    self.longest = longest
    self.seed = seed
  }

  /// Every wait is exactly as the backoff says.
  public static let none = Jitter(1, 1, seed: 0)

  /// Anything from no wait to the whole one: the widest spread.
  ///
  /// - Parameter seed: the seed of the random numbers.
  /// - Returns: the jitter.
  public static func full(seed: UInt64) -> Jitter { Jitter(0, 1, seed: seed) }

  /// Anything from half of the wait to the whole one.
  ///
  /// - Parameter seed: the seed of the random numbers.
  /// - Returns: the jitter.
  public static func equal(seed: UInt64) -> Jitter { Jitter(0.5, 1, seed: seed) }

  /// The wait, more or less by a fraction of it: with `0.2` it is from 80 % to 120 %.
  ///
  /// - Precondition: `fraction` is from 0 to 1.
  /// - Parameters:
  ///   - fraction: the largest part of the wait that is added or taken away.
  ///   - seed: the seed of the random numbers.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the jitter.
  public static func spread(
    _ fraction: Double, seed: UInt64, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Jitter {
    if !(0...1).contains(fraction) {
      fatalError("Jitter.spread: fraction is \(fraction); it goes from 0 to 1", file: fileID, line: line)
    }
    return Jitter(1 - fraction, 1 + fraction, seed: seed)
  }

  /// The wait after an attempt, spread by the random number of the seed and the attempt.
  func apply(to wait: Duration, attempt: Int) -> Duration {
    // A wait of that length never ends, and a longer one may not fit in a duration.
    guard shortest < longest, wait < Duration(attoseconds: .max / 4) else { return wait }
    return wait * (shortest + (longest - shortest) * Self.chance(seed, attempt))
  }

  /// A number from 0 up to 1, the same for the same seed and attempt: one step of SplitMix64.
  private static func chance(_ seed: UInt64, _ attempt: Int) -> Double {
    var bits = seed &+ 0x9E37_79B9_7F4A_7C15 &* UInt64(truncatingIfNeeded: attempt)
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) * 0x1p-53
  }
}

extension Jitter: CustomStringConvertible {
  /// As it is written in source.
  public var description: String {
    switch (shortest, longest) {
    case (1, 1): "none"
    case (0, 1): "full(seed: \(seed))"
    case (0.5, 1): "equal(seed: \(seed))"
    default: "spread(\((longest - shortest) / 2), seed: \(seed))"
    }
  }
}
