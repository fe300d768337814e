// This source file is part of swift-effects. License: Apache-2.0.

/// How often each duration occurred, with a precision of 3 %, in constant memory: thirty-two buckets for each power of
/// two.
struct Histogram: Sendable {
  private var counts = [Int](repeating: 0, count: 64 * 32)
  private(set) var count = 0
  private(set) var longest: UInt64 = 0

  mutating func add(_ nanoseconds: UInt64) {
    counts[Self.bucket(nanoseconds)] += 1
    count += 1
    longest = max(longest, nanoseconds)
  }

  mutating func add(_ other: Histogram) {
    for bucket in counts.indices where other.counts[bucket] > 0 { counts[bucket] += other.counts[bucket] }
    count += other.count
    longest = max(longest, other.longest)
  }

  /// The duration that the given share does not exceed; 0 without durations.
  func percentile(_ share: Double) -> UInt64 {
    let rank = Int((share * Double(count)).rounded(.up))
    var seen = 0
    for (bucket, number) in counts.enumerated() {
      seen += number
      if seen >= rank, number > 0 { return min(Self.upperEnd(of: bucket), longest) }
    }
    return 0
  }

  private static func bucket(_ value: UInt64) -> Int {
    let exponent = max(0, 63 - value.leadingZeroBitCount - 5)
    return min(exponent * 32 + Int(value >> UInt64(exponent)), 64 * 32 - 1)
  }

  private static func upperEnd(of bucket: Int) -> UInt64 {
    let exponent = bucket < 64 ? 0 : bucket / 32 - 1
    return UInt64(bucket - exponent * 32 + 1) << UInt64(exponent) - 1
  }
}
