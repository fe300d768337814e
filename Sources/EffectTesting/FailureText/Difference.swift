// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The difference of two values, part by part: only what differs, with its path. `-` is expected, `+` is actual.
///
/// Linear in the size of the values: parts are paired by label, key or position, never searched for. In arrays of
/// different lengths the equal elements at both ends are left out first, so that one insertion shows as one.
package struct Difference {
  /// How many differing parts are printed. No reader needs a hundred thousand of them.
  private static let partLimit = 20
  /// How deep values are split into parts. Below that, a value is printed as a whole.
  private static let depthLimit = 50

  private var lines: [String] = []
  private var count = 0

  package static func text(expected: Any, actual: Any) -> String {
    var difference = Difference()
    difference.compare(expected, actual, path: "", depth: 0)
    let shown = difference.lines.joined(separator: "\n")
    let more = difference.count - partLimit
    return more > 0 ? "\(shown)\n  … and \(more) more" : shown
  }

  // MARK: - Comparing

  private mutating func compare(_ expected: Any, _ actual: Any, path: String, depth: Int) {
    if Self.isEqual(expected, actual) { return }
    let before = count
    compareParts(expected, actual, path: path, depth: depth)
    // All parts are equal, but the values are not: the `==` of the type compares something else.
    if count == before, expected is any Equatable { note(expected, actual, path) }
  }

  private mutating func compareParts(_ expected: Any, _ actual: Any, path: String, depth: Int) {
    let left = Mirror(reflecting: expected)
    let right = Mirror(reflecting: actual)
    guard type(of: expected) == type(of: actual), depth < Self.depthLimit else {
      return note(expected, actual, path)
    }
    if let old = expected as? String, let new = actual as? String {
      return compareStrings(old, new, path)
    }
    guard let style = right.displayStyle, style == left.displayStyle else { return note(expected, actual, path) }
    switch style {
    case .struct, .tuple:
      // A short description, such as that of a date, says more than the parts.
      guard !left.children.isEmpty, !Self.haveShortTexts(expected, actual) else {
        return note(expected, actual, path)
      }
      for (index, (old, new)) in zip(left.children, right.children).enumerated() {
        compare(old.value, new.value, path: Self.join(path, old.label ?? "\(index)"), depth: depth + 1)
      }
    case .collection:
      compareElements(Array(left.children.map(\.value)), Array(right.children.map(\.value)), path, depth)
    case .dictionary:
      compareKeyed(left, right, path, depth)
    case .set:
      compareMembers(left, right, path)
    case .optional:
      guard let old = left.children.first, let new = right.children.first else {
        return note(expected, actual, path)
      }
      compare(old.value, new.value, path: path, depth: depth + 1)
    case .enum:
      guard let old = left.children.first, let new = right.children.first, old.label == new.label else {
        return note(expected, actual, path)
      }
      compare(old.value, new.value, path: Self.join(path, old.label ?? ""), depth: depth + 1)
    default:
      note(expected, actual, path)
    }
  }

  private mutating func compareElements(_ old: [Any], _ new: [Any], _ path: String, _ depth: Int) {
    var head = 0
    var tail = 0
    if old.count != new.count {
      let shorter = min(old.count, new.count)
      while head < shorter, Self.isEqual(old[head], new[head]) { head += 1 }
      while tail < shorter - head, Self.isEqual(old[old.count - 1 - tail], new[new.count - 1 - tail]) { tail += 1 }
    }
    let oldEnd = old.count - tail
    let newEnd = new.count - tail
    for index in head..<max(oldEnd, newEnd) {
      if index >= newEnd {
        add { "  \(path)[\(index)]:\n    - \(Self.describe(old[index]))" }
      } else if index >= oldEnd {
        add { "  \(path)[\(index)]:\n    + \(Self.describe(new[index]))" }
      } else {
        compare(old[index], new[index], path: "\(path)[\(index)]", depth: depth + 1)
      }
    }
  }

  private mutating func compareKeyed(_ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int) {
    let old = Self.keyed(left)
    let new = Self.keyed(right)
    // Only what differs is written and sorted, however much there is.
    var differing: [(text: String, key: AnyHashable)] = []
    for (key, value) in old {
      if let other = new[key], Self.isEqual(value, other) { continue }
      differing.append((Self.describe(key.base), key))
    }
    for key in new.keys where old[key] == nil { differing.append((Self.describe(key.base), key)) }
    for (text, key) in differing.sorted(by: { $0.text < $1.text }) {
      let place = "\(path)[\(text)]"
      switch (old[key], new[key]) {
      case (let old?, let new?): compare(old, new, path: place, depth: depth + 1)
      case (let old?, nil): add { "  \(place):\n    - \(Self.describe(old))" }
      case (nil, let new?): add { "  \(place):\n    + \(Self.describe(new))" }
      case (nil, nil): break
      }
    }
  }

  private static func keyed(_ mirror: Mirror) -> [AnyHashable: Any] {
    var pairs: [AnyHashable: Any] = [:]
    for child in mirror.children {
      // A pair of any types: the dynamic types of its parts are found by looking inside.
      let parts = Array(Mirror(reflecting: child.value).children)
      if parts.count == 2, let key = parts[0].value as? AnyHashable { pairs[key] = parts[1].value }
    }
    return pairs
  }

  private mutating func compareMembers(_ left: Mirror, _ right: Mirror, _ path: String) {
    let old = Set(left.children.compactMap { $0.value as? AnyHashable })
    let new = Set(right.children.compactMap { $0.value as? AnyHashable })
    let lines =
      old.subtracting(new).map { "- \(Self.describe($0.base))" }.sorted()
      + new.subtracting(old).map { "+ \(Self.describe($0.base))" }.sorted()
    if lines.isEmpty { return }
    // The path is printed above the first line. Each line counts as a part.
    add { "  \(Self.place(path)):\n    \(lines[0])" }
    for line in lines.dropFirst() { add { "    \(line)" } }
  }

  private mutating func compareStrings(_ old: String, _ new: String, _ path: String) {
    guard old.contains(where: \.isNewline) || new.contains(where: \.isNewline) else { return note(old, new, path) }
    let old = old.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    let new = new.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    var head = 0
    var tail = 0
    let shorter = min(old.count, new.count)
    while head < shorter, old[head] == new[head] { head += 1 }
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    // First all lines that are missing, then all lines that replace them, as people read it.
    let lines =
      old[head..<(old.count - tail)].map { "- \(Self.describe($0))" }
      + new[head..<(new.count - tail)].map { "+ \(Self.describe($0))" }
    // Only the line endings differ.
    if lines.isEmpty { return }
    add { "  \(Self.place(path)), from line \(head + 1):\n    \(lines[0])" }
    for line in lines.dropFirst() { add { "    \(line)" } }
  }

  // MARK: - Printing

  /// A value on one line, as in code, and of limited length.
  package static func describe(_ value: Any) -> String { ValueText.of(value) }

  private mutating func note(_ expected: Any, _ actual: Any, _ path: String) {
    guard count < Self.partLimit else { return count += 1 }
    var old = Self.describe(expected)
    var new = Self.describe(actual)
    if old == new {
      if type(of: expected) != type(of: actual) {
        old += " (\(ValueText.name(of: expected)))"
        new += " (\(ValueText.name(of: actual)))"
      } else if actual is any Equatable {
        new += " (prints the same; `==` of \(ValueText.name(of: actual)) tells them apart)"
      } else if type(of: actual) is AnyClass {
        new += " (another instance)"
      } else {
        return  // For example a closure: it cannot be compared.
      }
    }
    add { "  \(Self.place(path)):\n    - \(old)\n    + \(new)" }
  }

  private mutating func add(_ line: () -> String) {
    count += 1
    if count <= Self.partLimit { lines.append(line()) }
  }

  private static func place(_ path: String) -> String {
    path.isEmpty ? "self" : path
  }

  private static func join(_ path: String, _ label: String) -> String {
    // The compiler names the payload of a case and the elements of a tuple `.0`, `.1`.
    let label = label.hasPrefix(".") ? String(label.dropFirst()) : label
    return path.isEmpty ? label : "\(path).\(label)"
  }

  private static func haveShortTexts(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any CustomStringConvertible, let right = right as? any CustomStringConvertible else {
      return false
    }
    let texts = [left.description, right.description]
    return texts[0] != texts[1] && texts.allSatisfy { $0.count <= 60 && !$0.contains(where: \.isNewline) }
  }

  // MARK: - Equality

  private static func isEqual(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? any Equatable { return equal(left, right) }
    guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return (left as AnyObject) === (right as AnyObject)
  }

  private static func equal<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    (right as? Value) == left
  }
}
