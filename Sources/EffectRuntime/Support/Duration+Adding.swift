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

  /// The difference of two durations; if it is out of range, the longest or the shortest duration.
  ///
  /// - Parameter other: the duration to subtract.
  /// - Returns: the difference, limited to the range of `Duration`.
  package func subtracting(_ other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .max : .min) : difference)
  }
}
