// This source file is part of swift-effects. License: Apache-2.0.

/// Writes JSON on one line. Members are in the order of the calls.
///
/// The text is valid JSON for all strings. It can also be embedded in a script of a web page, because `<`, U+2028 and U+2029
/// are escaped.
package struct JSONText {
  private(set) var text = ""
  private var needsComma = false

  /// A JSON object whose members a closure writes.
  package static func object(_ members: (inout JSONText) -> Void) -> String {
    var writer = JSONText()
    writer.nested("{", "}", members)
    return writer.text
  }

  /// A string as JSON, with quotes.
  package static func quoted(_ string: String) -> String {
    var writer = JSONText()
    writer.write(string)
    return writer.text
  }

  // MARK: - Members of an object

  package mutating func member(_ key: String, _ value: String?) {
    begin(key)
    if let value { write(value) } else { text += "null" }
  }

  package mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
    begin(key)
    text += value.map { "\($0)" } ?? "null"
  }

  package mutating func member(_ key: String, _ value: Bool) {
    begin(key)
    text += value ? "true" : "false"
  }

  package mutating func object(_ key: String, _ members: (inout JSONText) -> Void) {
    begin(key)
    nested("{", "}", members)
  }

  // MARK: - Characters

  private mutating func nested(_ opening: String, _ closing: String, _ content: (inout JSONText) -> Void) {
    text += opening
    needsComma = false
    content(&self)
    text += closing
    needsComma = true
  }

  private mutating func begin(_ key: String) {
    if needsComma { text += "," }
    needsComma = true
    write(key)
    text += ":"
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "<": text += Self.escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }
}

extension Duration {
  /// Whole nanoseconds, rounded towards zero.
  package var nanoseconds: Int128 { attoseconds / 1_000_000_000 }
}

extension StringProtocol {
  /// The first characters, at most `limit`. If the text is longer, the last of them is an ellipsis.
  package func cut(to limit: Int) -> String {
    guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return String(self) }
    return "\(self[..<index(before: end)])…"
  }
}
