// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A query, prepared to be searched for in many lines.
///
/// A query without capitals finds capitals too; a query with capitals matches exactly. Only A to Z have two cases here:
/// the search compares bytes, which makes it fast, and is right for all other letters because of UTF-8.
struct Needle {
  /// The query as C reads it: its bytes, then a zero.
  private let bytes: [CChar]
  /// What a match can begin with, as C reads it. Empty if case matters.
  private let beginnings: [CChar]

  init(_ query: String) {
    bytes = Array(query.utf8CString)
    let capitals = CChar(UInt8(ascii: "A"))...CChar(UInt8(ascii: "Z"))
    let distance = CChar(UInt8(ascii: "a") - UInt8(ascii: "A"))
    if bytes.contains(where: capitals.contains) {
      beginnings = []
    } else {
      let isLetter = bytes[0] > distance && capitals.contains(bytes[0] - distance)
      beginnings = isLetter ? [bytes[0], bytes[0] - distance, 0] : [bytes[0], 0]
    }
  }

  /// How many bytes the query has.
  var count: Int { bytes.count - 1 }

  /// The first position of the query in a line, in bytes.
  ///
  /// - Parameter line: ends with a zero byte, as C requires.
  func position(in line: UnsafePointer<CChar>) -> Int? {
    guard !beginnings.isEmpty else { return unsafe strstr(line, bytes).map { unsafe UnsafePointer($0) - line } }
    // C has no portable search without case: jump from one possible beginning to the next, and compare there.
    var start = unsafe line
    while let candidate = unsafe strpbrk(start, beginnings) {
      if unsafe strncasecmp(candidate, bytes, count) == 0 { return unsafe UnsafePointer(candidate) - line }
      unsafe start = UnsafePointer(candidate) + 1
    }
    return nil
  }
}
