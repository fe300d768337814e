// This source file is part of swift-effects. License: Apache-2.0.

extension Duration {
  /// The sum; where that would be more than a duration can hold, the longest or shortest there is.
  ///
  /// `+` traps there, and with no word about whose duration it was.
  package func adding(_ other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .min : .max) : sum)
  }

  /// The difference, likewise.
  package func subtracting(_ other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflow ? (other < .zero ? .max : .min) : difference)
  }
}
