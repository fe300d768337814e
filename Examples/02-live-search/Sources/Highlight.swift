// This source file is part of swift-effects. License: Apache-2.0.

extension Needle {
  /// A text with a sequence before each occurrence of a query, and another behind it.
  ///
  /// Finds what the search finds: a query without capitals finds capitals too, and only A to Z have two cases.
  static func marked(_ text: String, query: String, from start: Int, _ opening: String, _ closing: String) -> String {
    let isExact = query.unicodeScalars.contains { ("A"..."Z").contains($0) }
    let wanted = query.unicodeScalars.map { $0 }
    let scalars = text.unicodeScalars.map { $0 }
    func isMatch(at position: Int) -> Bool {
      wanted.indices.allSatisfy { index in
        let found = scalars[position + index]
        return found == wanted[index]
          || !isExact && found.isASCII && found.properties.lowercaseMapping == "\(wanted[index])"
      }
    }
    var result = String.UnicodeScalarView()
    var position = 0
    while position < scalars.count {
      if position >= start, !wanted.isEmpty, position + wanted.count <= scalars.count, isMatch(at: position) {
        result += opening.unicodeScalars
        result += scalars[position..<position + wanted.count]
        result += closing.unicodeScalars
        position += wanted.count
      } else {
        result.append(scalars[position])
        position += 1
      }
    }
    return String(result)
  }
}
