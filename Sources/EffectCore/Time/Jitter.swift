// This source file is part of swift-effects. License: Apache-2.0.

/// How far the waits of a ``Backoff`` are spread at random, so that many clients that failed together do not retry
/// together.
///
/// The random numbers follow from a seed alone: the same seed gives the same waits, in a test and everywhere else.
public struct Jitter: Hashable, Sendable {
  private let shortest: Double
  private let longest: Double

  private init(_ shortest: Double, _ longest: Double) {
    self.shortest = shortest
    self.longest = longest
  }

  /// Every wait is exactly as the backoff says.
  public static let none = Jitter(1, 1)

  /// Anything from no wait to the whole one: the widest spread.
  public static let full = Jitter(0, 1)

  /// Anything from half of the wait to the whole one.
  public static let equal = Jitter(0.5, 1)

  /// The wait, more or less by a fraction of it: `.spread(0.2)` is from 80 % to 120 %.
  ///
  /// - Precondition: `fraction` is from 0 to 1.
  /// - Parameters:
  ///   - fraction: the largest part of the wait that is added or taken away.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the jitter.
  public static func spread(_ fraction: Double, fileID: StaticString = #fileID, line: UInt = #line) -> Jitter {
    if !(0...1).contains(fraction) {
      fatalError("Jitter.spread: fraction is \(fraction); it goes from 0 to 1", file: fileID, line: line)
    }
    return Jitter(1 - fraction, 1 + fraction)
  }

  /// The wait after an attempt, spread by the random number of the seed and the attempt.
  ///
  /// - Parameters:
  ///   - wait: the wait of the ``Backoff``.
  ///   - seed: what the random number depends on, with the attempt: equal arguments give an equal wait.
  ///   - attempt: the number of the attempt that failed.
  /// - Returns: the wait to use.
  public func apply(to wait: Duration, seed: UInt64, attempt: Int) -> Duration {
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
    switch self {
    case .none: "none"
    case .full: "full"
    case .equal: "equal"
    default: "spread(\((longest - shortest) / 2))"
    }
  }
}
