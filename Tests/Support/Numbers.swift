// This source file is part of swift-effects. License: Apache-2.0.

/// Random numbers of a test (SplitMix64, by Steele, Lea and Flood): the same for the same seed, on every machine.
package struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  /// Adjacent seeds give unrelated numbers. Without the first draw, the numbers of one seed would be those of the
  /// other, one step later.
  package init(seed: UInt64) {
    state = seed
    state = next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
