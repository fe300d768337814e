// This source file is part of swift-effects. License: Apache-2.0.

/// The difference of two values, part by part: only what differs, each part with its path.
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
/// - Values that are equal by `==` do not differ, whatever their parts are. Values without `==` are compared by their
///   parts, which reflection finds; a custom mirror is used as it is.
/// - The elements of an array are paired by position. If they are `Identifiable` with different ids, they are paired by
///   id: elements that were added, removed, moved or changed are reported as that. The values of a dictionary are
///   paired by key.
/// - An enum is compared by its payload if the case is the same. Of long strings, the place where they begin to differ is
///   shown; of strings with several lines, the lines.
/// - An object is the same as itself: what has changed inside it is not seen. Two different objects of a class are
///   compared by their stored properties, each pair once, also in cycles.
/// - Closures and other values that cannot be compared are left out.
///
/// `TestStore` and ``Store/printChanges(of:ids:to:where:)`` print state changes with it.
///
/// - Isolation: a value; making it calls `==`, mirrors and descriptions of the compared values.
/// - Complexity: O(size of both values), and bounded: after 500,000 parts the comparison ends, and the last line says
///   so. At most 20 differing parts are described, each with at most 1,000 characters; the others are counted.
public struct StateDifference: Sendable, Hashable {
  /// The difference, line by line: a path and below it, indented, the old value (`-`) and the new value (`+`). Empty if
  /// no difference was found.
  public let lines: [String]

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: the value before, marked `-`.
  ///   - new: the value after, marked `+`.
  public init<Value>(from old: Value, to new: Value) {
    self.init(of: old, and: new)
  }

  /// Compares two values whose static types do not matter.
  package init(of old: Any, and new: Any) {
    var walk = DifferenceWalk()
    walk.compare(old, new, "", depth: 0)
    lines = walk.allLines
  }

  /// Whether no difference was found.
  public var isEmpty: Bool { lines.isEmpty }

  /// Whether two values are equal: by `==`, or because they are the same object. Values that cannot be compared are
  /// not.
  package static func areEqual(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return (left as AnyObject) === (right as AnyObject)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, to right: Any) -> Bool {
    (right as? Value) == left
  }
}

extension StateDifference: CustomStringConvertible {
  /// The lines below one another.
  public var description: String { lines.joined(separator: "\n") }

  /// The lines side by side.
  @usableFromInline var onOneLine: String {
    lines.map { String($0.drop { $0 == " " }) }.joined(separator: " ")
  }

  /// The lines below one another, indented by two spaces.
  package var indented: String { lines.map { "  \($0)" }.joined(separator: "\n") }
}
