// This source file is part of swift-effects. License: Apache-2.0.

extension Duration {
  /// The sum; if it is out of range, the longest or shortest duration.
  ///
  /// `+` traps in that case, without a message that says which duration it was.
  package func adding(_ other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .min : .max) : sum)
  }

  /// The difference, with the same limits.
  package func subtracting(_ other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .max : .min) : difference)
  }
}
