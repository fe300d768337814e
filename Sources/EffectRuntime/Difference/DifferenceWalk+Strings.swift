// This source file is part of swift-effects. License: Apache-2.0.

// Strings: where they begin to differ.
extension DifferenceWalk {
  /// If at most this many bytes at the beginning are equal, the strings are shown from their beginning.
  private static let headLimit = 40
  /// How many characters are shown before the first difference, and how many from there on.
  private static let (before, behind) = (20, 60)
  /// Two strings with more bytes together are not split into lines. If more bytes are equal at the beginning, the place of the
  /// difference is given in bytes, because counting characters takes longer.
  private static let byteLimit = 1_000_000

  mutating func compareStrings(_ old: String, _ new: String, _ path: String) {
    let isLong = old.utf8.count + new.utf8.count > Self.byteLimit
    if !isLong, old.contains(where: \.isNewline) || new.contains(where: \.isNewline) {
      compareLines(old, new, path)
    } else {
      compareCharacters(old, new, path)
    }
  }

  private mutating func compareCharacters(_ old: String, _ new: String, _ path: String) {
    let common = Self.commonBytes(old, new)
    guard common > Self.headLimit, let first = Self.character(at: common, of: old),
      let second = Self.character(at: common, of: new)
    else { return note(old, new, path) }
    let place =
      common > Self.byteLimit
      ? "from byte \(old.utf8.distance(from: old.startIndex, to: first) + 1)"
      : "from character \(old.distance(from: old.startIndex, to: first) + 1)"
    add(path.isEmpty ? place : "\(path), \(place)") {
      ["- \(Self.excerpt(of: old, around: first))", "+ \(Self.excerpt(of: new, around: second))"]
    }
  }

  /// How many bytes are equal at the beginning.
  private static func commonBytes(_ old: String, _ new: String) -> Int {
    var count = 0
    for (left, right) in zip(old.utf8, new.utf8) {
      if left != right { break }
      count += 1
    }
    return count
  }

  /// The beginning of the character that contains the byte at an offset.
  private static func character(at offset: Int, of text: String) -> String.Index? {
    var index = text.utf8.index(text.startIndex, offsetBy: offset)
    while index > text.startIndex, index.samePosition(in: text) == nil { index = text.utf8.index(before: index) }
    return index.samePosition(in: text)
  }

  private static func excerpt(of text: String, around place: String.Index) -> String {
    let start = text.index(place, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(place, offsetBy: behind, limitedBy: text.endIndex) ?? text.endIndex
    let shown = String(reflecting: String(text[start..<end]))
    return "\(start > text.startIndex ? "…" : "")\(shown)\(end < text.endIndex ? "…" : "")"
  }

  private mutating func compareLines(_ old: String, _ new: String, _ path: String) {
    let old = old.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    let new = new.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    var head = 0
    var tail = 0
    let shorter = min(old.count, new.count)
    while head < shorter, old[head] == new[head] { head += 1 }
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    // First all lines that were removed, then all lines that were added. If there are none, only the line endings differ.
    let place = "from line \(head + 1)"
    addEach(
      path.isEmpty ? place : "\(path), \(place)",
      old[head..<(old.count - tail)].map { "- \(ValueText.of($0))" }
        + new[head..<(new.count - tail)].map { "+ \(ValueText.of($0))" })
  }
}
