// This source file is part of swift-effects. License: Apache-2.0.

/// Reads the links of a page: the attribute `href` of each element `a`.
///
/// It never goes back, so it takes as long as the page is long, whatever is in it.
struct Links: IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ html: [UInt8]) {
    rest = html[...]
  }

  mutating func next() -> String? {
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      guard let name = rest.first, name | 0x20 == UInt8(ascii: "a"), rest.dropFirst().first.map(Self.isSpace) == true
      else { continue }
      rest = rest.dropFirst()
      if let link = href() { return link }
    }
    return nil
  }

  /// The first `href` of the attributes of one tag.
  private mutating func href() -> String? {
    var link: String?
    while true {
      skip(while: Self.isSpace)
      guard let first = rest.first else { return nil }
      guard first != UInt8(ascii: ">") else { return link }
      // A name may begin with `=`.
      let name = [rest.removeFirst()] + skip { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
      skip(while: Self.isSpace)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      guard let value = value() else { return nil }
      if link == nil, name.map({ $0 | 0x20 }) == Array("href".utf8) { link = String(decoding: value, as: UTF8.self) }
    }
  }

  /// The value of an attribute; nil if the page ends before it ends.
  private mutating func value() -> ArraySlice<UInt8>? {
    skip(while: Self.isSpace)
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
    }
    rest.removeFirst()
    let value = skip { $0 != quote }
    return rest.popFirst() == nil ? nil : value
  }

  @discardableResult
  private mutating func skip(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let skipped = rest.prefix(while: condition)
    rest = rest[skipped.endIndex...]
    return skipped
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}
