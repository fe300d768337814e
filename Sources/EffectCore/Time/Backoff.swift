// This source file is part of swift-effects. License: Apache-2.0.

/// When to try again after an attempt has failed, or that there is no further attempt; see
/// ``Effect/retry(attempts:backoff:fileID:line:)``.
///
/// ```swift
/// Backoff.exponential(from: .seconds(1), upTo: .seconds(30)).jittered(by: 1, seed: state.seed)
/// Backoff { error, _ in (error as? Busy)?.retryAfter }                  // the server says when; other errors are final
/// ```
///
/// Two backoffs are equal if they are made by the same form with equal values. Closures cannot be compared: two backoffs
/// that are made of closures count as equal.
///
/// - Isolation: a value; usable from any thread.
/// - Complexity: a wait of the forms is computed in O(log attempts).
public struct Backoff: Hashable, Sendable {
  private let kind: Kind
  private var jitter: Jitter?

  private enum Kind: Hashable, Sendable {
    case constant(Duration)
    case linear(Duration, limit: Duration)
    case exponential(Duration, factor: Double, limit: Duration)
    case closure(Closure)
  }

  /// A closure, of which nothing can be compared.
  private struct Closure: Hashable, Sendable {
    let wait: @Sendable (any Error, Int) -> Duration?
    static func == (left: Closure, right: Closure) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// Makes a backoff of a closure that decides by the error.
  ///
  /// - Parameter wait: how long to wait before the next attempt, zero or less for none; `nil` to give up. It is given the
  ///   error, and the number of the attempt that failed, counted from 1. Called on the store's isolation, once for each
  ///   attempt that may be followed by another; never for a cancelled run.
  public init(_ wait: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Duration?) {
    self.init(.closure(Closure(wait: wait)))
  }

  /// The next attempt starts at once.
  public static let none = constant(.zero)

  /// The same wait each time.
  ///
  /// - Parameter wait: the wait after each attempt; less than zero counts as zero.
  /// - Returns: the backoff.
  public static func constant(_ wait: Duration) -> Backoff {
    Backoff(.constant(max(.zero, wait)))
  }

  /// Each wait is longer by the same increment: once, twice, three times the increment, up to a limit.
  ///
  /// - Parameters:
  ///   - increment: the first wait, and what each later wait is longer by.
  ///   - limit: the longest wait.
  /// - Returns: the backoff.
  public static func linear(by increment: Duration, upTo limit: Duration = longest) -> Backoff {
    Backoff(.linear(max(.zero, increment), limit: max(.zero, limit)))
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
    from first: Duration, factor: Double = 2, upTo limit: Duration = longest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Backoff {
    // Not `precondition`: optimised builds would trap without a message.
    if !(factor >= 1) {
      fatalError("Backoff.exponential: factor is \(factor); it must be at least 1", file: fileID, line: line)
    }
    return Backoff(.exponential(max(.zero, first), factor: factor, limit: max(.zero, limit)))
  }

  /// The same waits, each shortened at random, so that many clients that failed together do not retry together.
  ///
  /// The random numbers follow from the seed and the number of the attempt alone: the same seed gives the same waits, in
  /// a test and everywhere else. Clients with the same seed come back at the same moments, so give each client a seed of
  /// its own, in its state.
  ///
  /// - Precondition: `share` is from 0 to 1.
  /// - Parameters:
  ///   - share: the largest part of a wait that is taken away: with 1, each is anything from no wait to the whole one;
  ///     with 0.5, from half of the wait on.
  ///   - seed: the seed of the random numbers.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the backoff, with this jitter in place of an earlier one.
  public func jittered(
    by share: Double, seed: UInt64, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Backoff {
    if !(0...1).contains(share) {
      fatalError("Backoff.jittered: by is \(share); it goes from 0 to 1", file: fileID, line: line)
    }
    var backoff = self
    backoff.jitter = share == 0 ? nil : Jitter(share: share, seed: seed)
    return backoff
  }

  /// The limit where none is given: a day.
  @usableFromInline package static let longest = Duration.seconds(86_400)

  /// How long to wait after an attempt has failed. For features that connect again by themselves.
  ///
  /// - Complexity: O(log *attempt*) for the forms.
  /// - Parameters:
  ///   - error: what the attempt failed with; only a closure reads it.
  ///   - attempt: the number of the attempt that failed, counted from 1; less than 1 counts as 1.
  /// - Returns: the wait; `nil` if there is to be no further attempt, which only a closure says.
  public func wait(after error: any Error, attempt: Int) -> Duration? {
    let attempt = max(1, attempt)
    guard let wait = wholeWait(error, attempt) else { return nil }
    return jitter?.apply(to: wait, attempt: attempt) ?? wait
  }

  private func wholeWait(_ error: any Error, _ attempt: Int) -> Duration? {
    switch kind {
    case .constant(let wait):
      return wait
    case .linear(let step, let limit):
      // By division: a product might be more than a duration can hold.
      return step > limit / attempt ? limit : step * attempt
    case .exponential(let first, let factor, let limit):
      if first == .zero { return .zero }
      let power = Self.power(factor, attempt - 1)
      // By division, as above; dividing by a power that is too large for a number gives zero. The bound is below the
      // longest duration, which no floating-point number represents.
      let bound = min(limit, Duration(attoseconds: .max / 2))
      return first > bound / power ? limit : min(first * power, limit)
    case .closure(let closure):
      return closure.wait(error, attempt)
    }
  }
}

extension Backoff {
  /// How far the waits are spread.
  private struct Jitter: Hashable {
    let share: Double
    let seed: UInt64

    /// The wait after an attempt, shortened by the random number of the seed and the attempt.
    func apply(to wait: Duration, attempt: Int) -> Duration {
      // A wait of that length never ends, and a longer one may not fit in a duration.
      guard wait < Duration(attoseconds: .max / 4) else { return wait }
      return wait * (1 - share + share * chance(attempt))
    }

    /// A number from 0 up to 1, the same for the same seed and attempt: one step of SplitMix64.
    private func chance(_ attempt: Int) -> Double {
      var bits = seed &+ 0x9E37_79B9_7F4A_7C15 &* UInt64(truncatingIfNeeded: attempt)
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      return Double(bits >> 11) * 0x1p-53
    }
  }

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
    jitter.map { "\(form).jittered(by: \($0.share), seed: \($0.seed))" } ?? form
  }

  private var form: String {
    switch kind {
    case .constant(.zero): "none"
    case .constant(let wait): "constant(\(wait))"
    case .linear(let step, let limit): "linear(by: \(step)\(Self.text(limit)))"
    case .exponential(let first, let factor, let limit):
      "exponential(from: \(first), factor: \(factor)\(Self.text(limit)))"
    case .closure: "a closure"
    }
  }

  private static func text(_ limit: Duration) -> String {
    limit == longest ? "" : ", upTo: \(limit)"
  }
}
