// This source file is part of swift-effects. License: Apache-2.0.

/// How values are compared wherever a difference has a consequence: a reaction, a notification, a failed test.
///
/// Equal values are the same. `==` says of a value with a NaN that it differs from its own copy. So values that differ by `==`
/// are looked at once more: they are the same if NaNs explain the difference. That is, they have the same parts, and each
/// part is equal, or is a NaN in both, or is itself explained.
///
/// It would not do to ask first whether a value equals itself: an array with a NaN does, because `==` of an array compares
/// its storage first. And it would not do to compare bits: two such arrays with the same elements have other bits.
@usableFromInline
package enum Sameness {
  /// Whether two values are the same.
  ///
  /// - Complexity: one `==` if they are equal. Otherwise `==` of the parts up to the first difference, and reflection of the
  ///   values on the way to it; nothing more for numbers without fraction, strings and truth values.
  @inlinable
  package static func areSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    left == right || isExplained(left, right)
  }

  /// Whether a copy of a value is the same, after code that may have changed it.
  ///
  /// A copy that was not changed shares the storage of its arrays, and so equals the value, unless it does not equal itself. So a
  /// difference that is expected costs no reflection.
  @inlinable
  package static func isUnchanged<Value: Equatable>(_ copy: Value, from value: Value) -> Bool {
    if copy == value { return true }
    return value == value && copy == copy ? false : isExplained(copy, value)
  }

  /// Whether two values that differ by `==` are the same.
  @usableFromInline
  static func isExplained<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    if Value.self == Int.self || Value.self == String.self || Value.self == Bool.self { return false }
    return look(left, right, 0) == .same
  }

  enum Verdict {
    case equal
    /// Not equal by `==`, and the same.
    case same
    case different

    /// What is known of two values after one more part.
    func and(_ part: Verdict) -> Verdict { part == .equal ? self : part }
  }

  /// Deeper values count as different.
  private static let depthLimit = 100

  // MARK: - Values

  /// Compares two values that differ by `==`.
  private static func look<Value: Equatable>(_ left: Value, _ right: Value, _ depth: Int) -> Verdict {
    guard depth < depthLimit else { return .different }
    // Types are asked, not values, because a cast of a value unwraps an optional.
    if let type = Value.self as? any FloatingPoint.Type { return areNaN(left, right, type) ? .same : .different }
    if let type = Value.self as? any PartsInOrder.Type { return type.look(left, right, depth + 1) }
    if let left = left as? AnyHashable, let right = right as? AnyHashable, Value.self == AnyHashable.self {
      return compare(left.base, right.base, depth + 1)
    }
    if Value.self is AnyObject.Type {
      if left as AnyObject === right as AnyObject { return .same }
      // Reading the fields of an object that others use is not safe. So it is done only if there is no other way.
      if left == left || right == right { return .different }
    }
    let parts = lookAtParts(left, right, depth)
    if parts == .same { return .same }
    // No part explains it. If the value does not equal itself either, its `==` does not say whether it has changed.
    if left == left || right == right { return .different }
    return parts == .equal || haveSameBits(left, right) ? .same : .different
  }

  private static func areNaN<Value, Number: FloatingPoint>(
    _ left: Value, _ right: Value, _ type: Number.Type
  ) -> Bool {
    guard let left = left as? Number, let right = right as? Number else { return false }
    return left.isNaN && right.isNaN
  }

  /// Compares two values of any types.
  private static func compare(_ left: Any, _ right: Any, _ depth: Int) -> Verdict {
    let type = type(of: left)
    guard type == Swift.type(of: right), depth < depthLimit else { return .different }
    if let type = type as? any Equatable.Type { return compare(left, right, as: type, depth) }
    if type is AnyClass { return left as AnyObject === right as AnyObject ? .equal : .different }
    if let parts = lookAtParts(left, right, depth) { return parts }
    // `==` of a type cannot compare functions.
    if "\(type)".contains("->") { return .equal }
    func isBitwise<Value>(_ left: Value) -> Bool { (right as? Value).map { haveSameBits(left, $0) } ?? false }
    return _openExistential(left, do: isBitwise) ? .equal : .different
  }

  private static func compare<Value: Equatable>(
    _ left: Any, _ right: Any, as type: Value.Type, _ depth: Int
  ) -> Verdict {
    guard let left = left as? Value, let right = right as? Value else { return .different }
    return compare(left, right, depth)
  }

  static func compare<Value: Equatable>(_ left: Value, _ right: Value, _ depth: Int) -> Verdict {
    left == right ? .equal : look(left, right, depth)
  }

  // MARK: - Parts

  /// Compares the parts that reflection shows; `nil` if it shows none, or may not show all.
  private static func lookAtParts<Value>(_ left: Value, _ right: Value, _ depth: Int) -> Verdict? {
    let type = type(of: left as Any)
    if type is any CustomReflectable.Type, !(type is any ShownWhole.Type) { return nil }
    var (old, new): (Mirror?, Mirror?) = (Mirror(reflecting: left), Mirror(reflecting: right))
    var verdict: Verdict?
    while let former = old, let latter = new {
      guard former.children.count == latter.children.count, former.displayStyle == latter.displayStyle else {
        return .different
      }
      for (before, after) in zip(former.children, latter.children) {
        // The label of a payload is the name of its case.
        guard before.label == after.label else { return .different }
        let part = compare(before.value, after.value, depth + 1)
        if part == .different { return .different }
        verdict = (verdict ?? .equal).and(part)
      }
      (old, new) = (former.superclassMirror, latter.superclassMirror)
    }
    return verdict
  }

  /// Whether two values consist of the same bits.
  static func haveSameBits<Value>(_ left: Value, _ right: Value) -> Bool {
    // SAFETY: the bytes of both copies are read while they exist. Bytes that belong to no field may have any value; then
    // the answer is `false`.
    unsafe withUnsafeBytes(of: left) { left in
      unsafe withUnsafeBytes(of: right) { right in unsafe left.elementsEqual(right) }
    }
  }
}

/// A type with a `customMirror` that shows all of its parts, in an order of their own.
private protocol ShownWhole {}
extension Optional: ShownWhole {}
extension Array: ShownWhole {}
extension ArraySlice: ShownWhole {}
extension ContiguousArray: ShownWhole {}
extension CollectionOfOne: ShownWhole {}

/// A type of the standard library whose parts are found without reflection.
private protocol PartsInOrder {
  /// Compares two values of this type that differ by `==`.
  static func look(_ left: Any, _ right: Any, _ depth: Int) -> Sameness.Verdict
}

extension Optional: PartsInOrder where Wrapped: Equatable {
  static func look(_ left: Any, _ right: Any, _ depth: Int) -> Sameness.Verdict {
    guard let left = left as? Wrapped?, let right = right as? Wrapped?, let left, let right else { return .different }
    return Sameness.compare(left, right, depth)
  }
}

extension PartsInOrder where Self: Collection, Self.Element: Equatable {
  static func look(_ left: Any, _ right: Any, _ depth: Int) -> Sameness.Verdict {
    guard let left = left as? Self, let right = right as? Self, left.count == right.count else { return .different }
    var verdict = Sameness.Verdict.equal
    for (before, after) in zip(left, right) {
      let part = Sameness.compare(before, after, depth)
      if part == .different { return .different }
      verdict = verdict.and(part)
    }
    return verdict
  }
}

extension Array: PartsInOrder where Element: Equatable {}
extension ArraySlice: PartsInOrder where Element: Equatable {}
extension ContiguousArray: PartsInOrder where Element: Equatable {}

extension Dictionary: PartsInOrder where Value: Equatable {
  static func look(_ left: Any, _ right: Any, _ depth: Int) -> Sameness.Verdict {
    guard let left = left as? Self, let right = right as? Self, left.count == right.count else { return .different }
    var verdict = Sameness.Verdict.equal
    // No search finds a key that does not equal itself.
    var unmatched = right.filter { $0.key != $0.key }.map { $0 }
    for (key, value) in left {
      if let other = right[key] {
        let part = Sameness.compare(value, other, depth)
        if part == .different { return .different }
        verdict = verdict.and(part)
      } else {
        let index = unmatched.firstIndex { other in
          Sameness.compare(key, other.key, depth) != .different
            && Sameness.compare(value, other.value, depth) != .different
        }
        guard key != key, let index else { return .different }
        unmatched.remove(at: index)
        verdict = .same
      }
    }
    return verdict
  }
}

extension Set: PartsInOrder {
  static func look(_ left: Any, _ right: Any, _ depth: Int) -> Sameness.Verdict {
    guard let left = left as? Self, let right = right as? Self, left.count == right.count else { return .different }
    var others = right.filter { !left.contains($0) }.map { $0 }
    for member in left where !right.contains(member) {
      guard member != member,
        let index = others.firstIndex(where: { Sameness.compare(member, $0, depth) != .different })
      else { return .different }
      others.remove(at: index)
    }
    return .same
  }
}

extension Result: PartsInOrder where Success: Equatable, Failure: Equatable {
  static func look(_ left: Any, _ right: Any, _ depth: Int) -> Sameness.Verdict {
    switch (left as? Self, right as? Self) {
    case (.success(let left), .success(let right)): Sameness.compare(left, right, depth)
    case (.failure(let left), .failure(let right)): Sameness.compare(left, right, depth)
    default: .different
    }
  }
}
