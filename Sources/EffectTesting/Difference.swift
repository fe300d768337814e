// This source file is part of swift-effects. License: Apache-2.0.

/// Tells two values apart, part by part: only what differs, with its path. `-` is expected, `+` is actual.
///
/// Linear in the size of the values: parts are paired by label, position or key, never searched for.
package enum Difference {
  /// How many differing parts are printed; a hundred thousand differing elements help nobody.
  private static let limit = 20

  package static func text(expected: Any, actual: Any) -> String {
    var found: [String] = []
    compare(expected, actual, path: "", &found)
    if found.isEmpty {
      // Equal part by part and yet unequal: the type's `==` looks at something else.
      return """
          - \(describe(expected))
          + \(describe(actual))
          (they print alike; `==` of \(type(of: actual)) tells them apart)
        """
    }
    let shown = found.prefix(limit).joined(separator: "\n")
    return found.count > limit ? "\(shown)\n  ... and \(found.count - limit) more" : shown
  }

  /// A value on one line, strings in quotes.
  package static func describe(_ value: Any) -> String {
    if let string = value as? String { return String(reflecting: string) }
    return "\(value)"
  }

  private static func compare(_ expected: Any, _ actual: Any, path: String, _ found: inout [String]) {
    if isEqual(expected, actual) { return }
    let left = Mirror(reflecting: expected)
    let right = Mirror(reflecting: actual)
    guard type(of: expected) == type(of: actual), let style = right.displayStyle, style == left.displayStyle else {
      return note(expected, actual, path, &found)
    }
    switch style {
    case .struct, .tuple:
      guard !left.children.isEmpty else { return note(expected, actual, path, &found) }
      for (index, (old, new)) in zip(left.children, right.children).enumerated() {
        compare(old.value, new.value, path: join(path, old.label ?? "\(index)"), &found)
      }
    case .collection:
      compareElements(Array(left.children.map(\.value)), Array(right.children.map(\.value)), path, &found)
    case .dictionary:
      compareKeyed(left, right, path, &found)
    case .set:
      compareMembers(left, right, path, &found)
    case .optional:
      guard let old = left.children.first, let new = right.children.first else {
        return note(expected, actual, path, &found)
      }
      compare(old.value, new.value, path: path, &found)
    case .enum:
      guard let old = left.children.first, let new = right.children.first, old.label == new.label else {
        return note(expected, actual, path, &found)
      }
      compare(old.value, new.value, path: join(path, old.label ?? ""), &found)
    default:
      note(expected, actual, path, &found)
    }
  }

  private static func compareElements(_ old: [Any], _ new: [Any], _ path: String, _ found: inout [String]) {
    for index in 0..<max(old.count, new.count) {
      let place = "\(path)[\(index)]"
      if index >= new.count {
        found.append("  \(place):\n    - \(describe(old[index]))")
      } else if index >= old.count {
        found.append("  \(place):\n    + \(describe(new[index]))")
      } else {
        compare(old[index], new[index], path: place, &found)
      }
    }
  }

  private static func compareKeyed(_ left: Mirror, _ right: Mirror, _ path: String, _ found: inout [String]) {
    let old = keyed(left)
    let new = keyed(right)
    for (key, value) in old.sorted(by: { describe($0.key.base) < describe($1.key.base) }) {
      let place = "\(path)[\(describe(key.base))]"
      if let other = new[key] {
        compare(value, other, path: place, &found)
      } else {
        found.append("  \(place):\n    - \(describe(value))")
      }
    }
    for (key, value) in new.sorted(by: { describe($0.key.base) < describe($1.key.base) }) where old[key] == nil {
      found.append("  \(path)[\(describe(key.base))]:\n    + \(describe(value))")
    }
  }

  private static func keyed(_ mirror: Mirror) -> [AnyHashable: Any] {
    var pairs: [AnyHashable: Any] = [:]
    for child in mirror.children {
      if let (key, value) = child.value as? (key: AnyHashable, value: Any) { pairs[key] = value }
    }
    return pairs
  }

  private static func compareMembers(_ left: Mirror, _ right: Mirror, _ path: String, _ found: inout [String]) {
    let old = Set(left.children.compactMap { $0.value as? AnyHashable })
    let new = Set(right.children.compactMap { $0.value as? AnyHashable })
    let lines =
      old.subtracting(new).map { "    - \(describe($0.base))" }.sorted()
      + new.subtracting(old).map { "    + \(describe($0.base))" }.sorted()
    if !lines.isEmpty { found.append("  \(path.isEmpty ? "self" : path):\n\(lines.joined(separator: "\n"))") }
  }

  private static func note(_ expected: Any, _ actual: Any, _ path: String, _ found: inout [String]) {
    found.append("  \(path.isEmpty ? "self" : path):\n    - \(describe(expected))\n    + \(describe(actual))")
  }

  private static func join(_ path: String, _ label: String) -> String {
    // The compiler names the payload of a case and the elements of a tuple `.0`, `.1`.
    let label = label.hasPrefix(".") ? String(label.dropFirst()) : label
    return path.isEmpty ? label : "\(path).\(label)"
  }

  private static func isEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any Equatable else { return false }
    return equal(left, right)
  }

  private static func equal<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    (right as? Value) == left
  }
}
