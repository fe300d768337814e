// This source file is part of swift-effects. License: Apache-2.0.

/// How values are written in descriptions of effects.
package enum ValueDescription {
  /// The value's own description; strings in quotes, so that `"3"` and `3` differ. Sets and dictionaries are sorted: two equal
  /// ones may print in different orders, also in one process.
  ///
  /// - Complexity: O(size), also for a value that is not a set or dictionary, because it may contain one.
  package static func of(_ value: some Any) -> String {
    if let string = value as? String { return String(reflecting: string) }
    return hasOneText(value, depth: 0) ? withoutAddresses(String(describing: value)) : sorted(value)
  }

  /// The same for a line of text: cut to 1,000 characters. The size of a longer string follows.
  ///
  /// - Complexity: as above, but of a long string only what is shown is read.
  package static func brief(_ value: some Any) -> String {
    let limit = 1_000
    let string = value as? String
    let head = string.flatMap { $0.utf8.count > 100_000 ? String($0.prefix(limit)) : nil }
    let text = head.map { of($0) } ?? of(value)
    guard text.utf8.count > limit, let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return "\(text[..<end])…\(string.map { " (\($0.utf8.count) bytes)" } ?? "")"
  }

  /// How deep values are searched for sets and dictionaries.
  private static let depthLimit = 20

  /// Whether a value contains no set or dictionary whose members may be described in another order.
  private static func hasOneText(_ value: Any, depth: Int) -> Bool {
    guard depth < depthLimit else { return true }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .set, .dictionary:
      if mirror.children.count > 1 { return false }
    case .collection, .tuple, .optional: break
    case .struct, .enum:
      if value is any CustomStringConvertible || value is any CustomDebugStringConvertible { return true }
    default: return true
    }
    return mirror.children.allSatisfy { hasOneText($0.value, depth: depth + 1) }
  }

  /// As `String(describing:)`, with sorted sets and dictionaries.
  private static func sorted(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .set: return "[\(mirror.children.map { of($0.value) }.sorted().joined(separator: ", "))]"
    case .dictionary:
      // An entry is a pair of a key and a value.
      let pairs = mirror.children.map { entry in
        Mirror(reflecting: entry.value).children.map { of($0.value) }.joined(separator: ": ")
      }
      return "[\(pairs.sorted().joined(separator: ", "))]"
    case .collection: return "[\(mirror.children.map { of($0.value) }.joined(separator: ", "))]"
    case .tuple: return "(\(parts(of: mirror)))"
    case .optional: return "Optional(\(mirror.children.map { of($0.value) }.joined()))"
    case .struct: return "\(of(type(of: value)))(\(parts(of: mirror)))"
    case .enum:
      let payload = mirror.children.first
      let text = payload.map { of($0.value) } ?? ""
      return "\(payload?.label ?? "")\(text.hasPrefix("(") ? text : "(\(text))")"
    default: return withoutAddresses(String(describing: value))
    }
  }

  private static func parts(of mirror: Mirror) -> String {
    mirror.children.map { label, value in
      // The compiler names the elements of a tuple that have no name `.0`, `.1`.
      guard let label, !label.hasPrefix(".") else { return of(value) }
      return "\(label): \(of(value))"
    }.joined(separator: ", ")
  }

  /// A text of the standard library without addresses: they differ from process to process. There is an address in the
  /// context of a private or local type (`Module.(unknown context at $7f12).Key`), in the getter of a key path
  /// (`\.<computed 0x7f12 (Int)>`), and in an `ObjectIdentifier`.
  ///
  /// - Complexity: O(length). A text without any of these is not copied.
  package static func withoutAddresses(_ text: String) -> String {
    var cleaned: String?
    var (index, copied) = (text.utf8.startIndex, text.utf8.startIndex)
    while index < text.utf8.endIndex {
      guard let (form, end) = address(in: text.utf8[index...]) else {
        text.utf8.formIndex(after: &index)
        continue
      }
      cleaned = (cleaned ?? "") + text[copied..<index] + form.instead
      (index, copied) = (end, end)
    }
    return cleaned.map { $0 + text[copied...] } ?? text
  }

  /// A form in which addresses are written: the text before an address, the text that replaces it, and the text behind
  /// the address.
  private struct Form {
    let before: String
    let instead: String
    let behind: String
  }

  private static let forms = [
    Form(before: "(unknown context at $", instead: "", behind: ")."),
    Form(before: "<computed 0x", instead: "<computed ", behind: " "),
    Form(before: "ObjectIdentifier(0x", instead: "ObjectIdentifier", behind: ")"),
  ]

  /// The form of the address that a text begins with, and where the address ends.
  private static func address(in text: Substring.UTF8View) -> (Form, end: String.Index)? {
    // `(`, `<` and `O`: most bytes begin no address.
    guard let first = text.first, first == 0x28 || first == 0x3C || first == 0x4F else { return nil }
    for form in forms where text.starts(with: form.before.utf8) {
      let digits = text.dropFirst(form.before.utf8.count)
      let rest = digits.drop(while: isHexadecimal)
      if rest.startIndex > digits.startIndex, rest.starts(with: form.behind.utf8) {
        return (form, rest.index(rest.startIndex, offsetBy: form.behind.utf8.count))
      }
    }
    return nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
  }
}
