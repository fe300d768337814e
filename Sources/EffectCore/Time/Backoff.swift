// This source file is part of swift-effects. License: Apache-2.0.

/// How long to wait before an attempt is made again; see ``Effect/retry(attempts:backoff:jitter:seed:fileID:line:while:)``.
///
/// - Isolation: a value; usable from any thread.
/// - Complexity: a wait is computed in O(log attempts).
public struct Backoff: Hashable, Sendable {
  private let kind: Kind

  private enum Kind: Hashable, Sendable {
    case constant(Duration)
    case linear(Duration, limit: Duration)
    case exponential(Duration, factor: Double, limit: Duration)
  }

  /// The next attempt starts at once.
  public static let none = constant(.zero)

  /// The same wait each time.
  ///
  /// - Parameter wait: the wait after each attempt; less than zero counts as zero.
  /// - Returns: the backoff.
  public static func constant(_ wait: Duration) -> Backoff {
    Backoff(kind: .constant(max(.zero, wait)))
  }

  /// Each wait is longer by the same step: `step`, `2 * step`, `3 * step`, up to a limit.
  ///
  /// - Parameters:
  ///   - step: the first wait, and what each later wait is longer by.
  ///   - limit: the longest wait.
  /// - Returns: the backoff.
  public static func linear(by step: Duration, upTo limit: Duration = longest) -> Backoff {
    Backoff(kind: .linear(max(.zero, step), limit: max(.zero, limit)))
  }

  /// Each wait is longer by the same factor: `first`, `first * factor`, `first * factor * factor`, up to a limit.
  ///
  /// - Precondition: `factor` is at least 1.
  /// - Parameters:
  ///   - first: the first wait.
  ///   - factor: what each wait is multiplied by for the next one.
  ///   - limit: the longest wait.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the backoff.
  public static func exponential(
    from first: Duration, factor: Double = 2, upTo limit: Duration = longest, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Backoff {
    // Not `precondition`: optimised builds would trap without a message.
    if !(factor >= 1) {
      fatalError("Backoff.exponential: factor is \(factor); it must be at least 1", file: fileID, line: line)
    }
    return Backoff(kind: .exponential(max(.zero, first), factor: factor, limit: max(.zero, limit)))
  }

  /// The limit where none is given: a day.
  public static let longest = Duration.seconds(86_400)

  /// How long to wait after an attempt has failed; attempts are counted from 1.
  ///
  /// - Complexity: O(log *attempt*).
  /// - Parameter attempt: the number of the attempt that failed; less than 1 counts as 1.
  /// - Returns: the wait, before any ``Jitter``.
  public func wait(after attempt: Int) -> Duration {
    let count = max(1, attempt)
    switch kind {
    case .constant(let wait):
      return wait
    case .linear(let step, let limit):
      // By division: a product might be more than a duration can hold.
      return step > limit / count ? limit : step * count
    case .exponential(let first, let factor, let limit):
      if first == .zero { return .zero }
      let power = Self.power(factor, count - 1)
      // By division, as above; dividing by a power that is too large for a number gives zero. The bound is below the
      // longest duration, which no floating-point number represents.
      let bound = min(limit, Duration(attoseconds: .max / 2))
      return first > bound / power ? limit : min(first * power, limit)
    }
  }
}

extension Backoff {
  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest % 2 == 1 { result *= square }
      square *= square
      rest /= 2
    }
    return result
  }
}

extension Backoff: CustomStringConvertible {
  /// As it is written in source, with the durations as they print: `exponential(from: 0.1 seconds, factor: 2.0)`.
  public var description: String {
    switch kind {
    case .constant(.zero): "none"
    case .constant(let wait): "constant(\(wait))"
    case .linear(let step, let limit): "linear(by: \(step)\(Self.text(limit)))"
    case .exponential(let first, let factor, let limit):
      "exponential(from: \(first), factor: \(factor)\(Self.text(limit)))"
    }
  }

  private static func text(_ limit: Duration) -> String {
    limit == longest ? "" : ", upTo: \(limit)"
  }
}
