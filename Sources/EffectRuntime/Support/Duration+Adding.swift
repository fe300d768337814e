// This source file is part of swift-effects. License: Apache-2.0.

extension Duration {
  /// The sum of two durations; if it is out of range, the longest or the shortest duration.
  ///
  /// `+` would trap in that case, and its message would not name the duration.
  ///
  /// - Parameter other: the duration to add.
  /// - Returns: the sum, limited to the range of `Duration`.
  package func adding(_ other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .min : .max) : sum)
  }

  /// The moment at which a wait ends that begins at this one; ``never`` if no clock reaches it: the wait is longer than a
  /// system clock can count (`.nanoseconds(.max)`, 292 years), or the sum is out of range (rule C1).
  ///
  /// - Parameter wait: how long the wait is.
  package func end(ofWaiting wait: Duration) -> Duration {
    wait.attoseconds >= Int128(Int64.max) * 1_000_000_000 ? .never : adding(wait)
  }

  /// A deadline that does not come, also if a test lets the longest possible time pass.
  package static var never: Duration { Duration(attoseconds: .max) }

  /// The last time that a virtual clock shows: before ``never``.
  package static var last: Duration { Duration(attoseconds: .max - 1) }

  /// The difference of two durations; if it is out of range, the longest or the shortest duration.
  ///
  /// - Parameter other: the duration to subtract.
  /// - Returns: the difference, limited to the range of `Duration`.
  package func subtracting(_ other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .max : .min) : difference)
  }
}
