// This source file is part of swift-effects. License: Apache-2.0.

/// Inputs are kept as `any Hashable & Sendable`; this is how two of them are compared.
package enum EffectInput {
  /// Whether both are absent, or have the same type and are equal.
  package static func areEqual(_ left: (any Hashable & Sendable)?, _ right: (any Hashable & Sendable)?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return isEqual(left, to: right)
  }

  // Not with `AnyHashable`: for it, `1` and `UInt8(1)` are equal. Not with a cast alone: a cast treats an optional like
  // its value, and the `nil` of one type like the `nil` of another. And it works only from a subclass to its
  // superclass.
  private static func isEqual<Value: Hashable & Sendable>(_ left: Value, to right: any Hashable & Sendable) -> Bool {
    guard type(of: left) == type(of: right), let right = right as? Value else { return false }
    return Sameness.areSame(left, right)
  }
}
