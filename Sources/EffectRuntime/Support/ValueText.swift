// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Writes values as in code: `.found(["SWIFT"])`, `Item(id: 1, title: nil)`. Types are written without their modules
/// and enclosing types, cases with their dot, strings with quotes; sets and dictionaries are sorted.
///
/// A struct, enum or class with a custom description (`CustomStringConvertible` or `CustomDebugStringConvertible`) is
/// written by it. The limit bounds the time, also for a large value. There are two exceptions: sets and dictionaries are
/// read as a whole, to be sorted, and a custom description is made as a whole.
package struct ValueText {
  /// How deep a value is examined. A value at greater depth is written by its custom description, or as `…`.
  private static let depthLimit = 40

  private let limit: Int
  private(set) var text = ""

  /// The text of a value, cut to a number of characters.
  ///
  /// - Parameters:
  ///   - value: any value. Its custom description or mirror is called.
  ///   - limit: the maximum number of characters. A longer text is cut there and ends with an ellipsis. If the value
  ///     is a `String`, its length follows.
  /// - Returns: the text. It may contain line ends if a custom description does.
  package static func of(_ value: Any, limit: Int = 1_000) -> String {
    if let string = value as? String { return quoted(string, limit: limit) }
    var writer = ValueText(limit: limit)
    writer.write(value, depth: 0)
    return writer.isFull ? "\(writer.text.prefix(limit))…" : writer.text
  }

  private init(limit: Int) {
    self.limit = limit
  }

  private var isFull: Bool { text.utf8.count > limit && text.count > limit }

  /// A string with more bytes than this, and than the limit, is read only as far as it is shown.
  private static let byteLimit = 100_000

  private static func quoted(_ string: String, limit: Int) -> String {
    guard string.utf8.count <= max(byteLimit, limit) else {
      return "\(beginning(of: string, limit: limit).prefix(limit))… (\(string.utf8.count) bytes)"
    }
    let text = String(reflecting: string)
    guard text.utf8.count > limit else { return text }
    let count = text.count
    return count > limit ? "\(text.prefix(limit))… (\(count) characters)" : text
  }

  /// A string as in code; of a long string only the part that can be shown.
  private static func beginning(of string: some StringProtocol, limit: Int) -> String {
    String(reflecting: String(string.utf8.count > limit ? string.prefix(limit + 1) : string[...]))
  }

  private mutating func write(_ value: Any, depth: Int) {
    guard !isFull else { return }
    if let string = value as? String { return text += Self.beginning(of: string, limit: limit) }
    if let string = value as? Substring { return text += Self.beginning(of: string, limit: limit) }
    let mirror = Mirror(reflecting: value)
    guard let style = mirror.displayStyle, depth < Self.depthLimit else { return text += plain(value, mirror) }
    switch style {
    case .optional:
      if let wrapped = mirror.children.first { write(wrapped.value, depth: depth) } else { text += "nil" }
    case .collection:
      write(mirror.children.lazy.map { (nil, $0.value) }, "[", "]", depth)
    case .set:
      let members = mirror.children.map { Self.of($0.value, limit: limit) }.sorted()
      text += "[\(members.joined(separator: ", "))]"
    case .dictionary:
      let pairs = mirror.children.map { pair(of: $0.value) }.sorted()
      text += pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
    case .tuple:
      write(mirror.children.lazy.map { (Self.label($0.label), $0.value) }, "(", ")", depth)
    case .enum where !describesItself(value):
      writeCase(value, mirror, depth)
    case .struct where !describesItself(value):
      let type = Self.name(of: value)
      write(mirror.children.lazy.map { (Self.label($0.label), $0.value) }, "\(type)(", ")", depth)
    default:
      text += plain(value, mirror)
    }
  }

  private mutating func write(
    _ parts: some Sequence<(String?, Any)>, _ opening: String, _ closing: String, _ depth: Int
  ) {
    text += opening
    var isFirst = true
    for (label, value) in parts {
      if isFull { return }
      if !isFirst { text += ", " }
      isFirst = false
      if let label { text += "\(label): " }
      write(value, depth: depth + 1)
    }
    text += closing
  }

  private mutating func writeCase(_ value: Any, _ mirror: Mirror, _ depth: Int) {
    guard let payload = mirror.children.first, let name = payload.label else {
      return text += ".\(ValueDescription.of(value))"
    }
    text += ".\(name)"
    let parts = Mirror(reflecting: payload.value)
    if parts.displayStyle == .tuple {
      write(payload.value, depth: depth + 1)
    } else {
      write([(nil, payload.value)], "(", ")", depth)
    }
  }

  private func pair(of entry: Any) -> String {
    // The entry is a pair of unknown types. Its mirror gives the key and the value.
    let parts = Mirror(reflecting: entry).children.map { Self.of($0.value, limit: limit) }
    return parts.joined(separator: ": ")
  }

  private func describesItself(_ value: Any) -> Bool {
    value is any CustomStringConvertible || value is any CustomDebugStringConvertible
  }

  private func plain(_ value: Any, _ mirror: Mirror) -> String {
    if describesItself(value) || mirror.displayStyle == nil { return ValueDescription.of(value) }
    return mirror.displayStyle == .class ? Self.name(of: value) : "…"
  }

  /// The name of the type of a value, without its module and enclosing types.
  ///
  /// - Parameter value: any value.
  /// - Returns: the name of its dynamic type.
  package static func name(of value: Any) -> String { ValueDescription.of(type(of: value)) }

  private static func label(_ label: String?) -> String? {
    // The compiler names the elements of a tuple that have no name `.0`, `.1`.
    guard let label, !label.hasPrefix(".") else { return nil }
    return label
  }
}
