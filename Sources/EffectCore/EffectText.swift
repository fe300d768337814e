// This source file is part of swift-effects. License: Apache-2.0.

/// How values are written in descriptions of effects.
package enum EffectText {
  /// The value's own description; strings in quotes, so that `"3"` and `3` can be told apart.
  package static func of(_ value: some Any) -> String {
    if let string = value as? String { return String(reflecting: string) }
    return withoutAddresses(String(describing: value))
  }

  /// A text of the standard library without what differs from process to process: where the compiler keeps the context of a
  /// private or local type (`Module.(unknown context at $7f12).Key`), the getter of a key path (`\.<computed 0x7f12 (Int)>`),
  /// what an `ObjectIdentifier` identifies.
  ///
  /// - Complexity: O(length). A text without any of these is not copied.
  package static func withoutAddresses(_ text: String) -> String {
    var text = text
    return text.withUTF8 { unsafe cleaned($0) } ?? text
  }

  /// A form in which addresses are written: what is before one, what is written instead of that, and what is behind it.
  private struct Form {
    let before: StaticString
    let instead: StaticString
    let behind: StaticString
  }

  private static let forms = [
    Form(before: "(unknown context at $", instead: "", behind: ")."),
    Form(before: "<computed 0x", instead: "<computed ", behind: " "),
    Form(before: "ObjectIdentifier(0x", instead: "ObjectIdentifier", behind: ")"),
  ]

  /// The text without addresses; `nil` if there are none.
  private static func cleaned(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    var found: [UInt8]?
    var (index, copied) = (0, 0)
    while index < text.count {
      guard unsafe text[index] == 0x28 || text[index] == 0x3C || text[index] == 0x4F,
        let (form, end) = unsafe address(in: text, at: index)
      else {
        index += 1
        continue
      }
      unsafe found = (found ?? []) + text[copied..<index] + bytes(of: form.instead)
      (index, copied) = (end, end)
    }
    guard let found else { return nil }
    return unsafe String(decoding: found + text[copied...], as: UTF8.self)
  }

  /// The form of the address that is written at an index, and where it ends.
  private static func address(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> (Form, end: Int)? {
    for form in forms {
      guard var index = unsafe end(of: form.before, in: text, at: start) else { continue }
      let first = index
      while index < text.count, unsafe isHexadecimal(text[index]) { index += 1 }
      if index > first, let end = unsafe end(of: form.behind, in: text, at: index) { return (form, end) }
    }
    return nil
  }

  private static func end(of part: StaticString, in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    let end = start + part.utf8CodeUnitCount
    guard end <= text.count, unsafe text[start..<end].elementsEqual(bytes(of: part)) else { return nil }
    return end
  }

  private static func bytes(of part: StaticString) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
  }
}
