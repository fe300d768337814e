// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The difference of two values: only the parts that differ, each with its path.
///
/// ```swift
/// print(StateDifference(from: before, to: after))
/// ```
/// ```text
/// query:
///   - "swift"
///   + "swift 6"
/// rows[id: 7].isDone:
///   - false
///   + true
/// rows[id: 9]:
///   + Row(id: 9, title: "new")
/// ```
///
/// - Values that are equal by `==` do not differ, whatever their parts are; neither does a NaN from a NaN. Values without `==` are compared by their
///   parts, which are found by reflection; a custom mirror is used as it is.
/// - The elements of an array are paired by position. If they are `Identifiable` with different ids, they are paired by
///   id: each element that differs is then reported as added, removed, moved or changed. The values of a dictionary are
///   paired by key.
/// - An enum is compared by its payload if the case is the same. Of long strings, the place where they begin to differ is
///   shown; of strings with several lines, the lines.
/// - An object equals itself: changes inside it are not detected. Two different objects of a class are compared by their
///   stored properties, each pair once, also in cycles.
/// - Closures and other values that cannot be compared are left out.
///
/// `TestStore` and ``Store/printChanges(of:ids:to:where:)`` print state changes with it.
///
/// - Isolation: a value; making it calls `==`, mirrors and descriptions of the compared values.
/// - Complexity: O(size of both values) for each level of nesting on the way to a difference, and O(*n* log *n*) for *n*
///   elements that were moved or keys that differ. After 500,000 parts the comparison ends, and the last line says so. At most
///   20 differing parts are described, each value with at most 1,000 characters; the other parts are counted.
public struct StateDifference: Sendable, Hashable {
  /// The difference, line by line: a path and below it, indented, the old value (`-`) and the new value (`+`). Empty if
  /// no difference was found.
  public let lines: [String]

  /// Compares two values part by part.
  ///
  /// - Parameters:
  ///   - old: the value before, marked `-`.
  ///   - new: the value after, marked `+`.
  public init<Value>(from old: Value, to new: Value) {
    self.init(of: old, and: new)
  }

  /// Compares two values of any types. If their dynamic types differ, each is described as a whole.
  ///
  /// - Parameters:
  ///   - old: the value before, marked `-`.
  ///   - new: the value after, marked `+`.
  package init(of old: Any, and new: Any) {
    var walk = DifferenceWalk()
    walk.compare(old, new, "", depth: 0)
    lines = walk.allLines
  }

  /// Whether no difference was found.
  public var isEmpty: Bool { lines.isEmpty }

  /// Whether two values are the same: by `==`, apart from NaNs, or because they are one object.
  ///
  /// - Parameters:
  ///   - left: a value of any type.
  ///   - right: likewise.
  /// - Returns: `false` also for values that cannot be compared.
  package static func areEqual(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return (left as AnyObject) === (right as AnyObject)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, to right: Any) -> Bool {
    (right as? Value).map { Sameness.areSame(left, $0) } ?? false
  }
}

extension StateDifference: CustomStringConvertible {
  /// The lines below one another.
  public var description: String { lines.joined(separator: "\n") }

  /// The lines without indentation, joined by spaces.
  var onOneLine: String {
    lines.map { String($0.drop { $0 == " " }) }.joined(separator: " ")
  }

  /// The lines below one another, indented by two spaces.
  package var indented: String { lines.map { "  \($0)" }.joined(separator: "\n") }
}
