// This source file is part of swift-effects. License: Apache-2.0.

extension StringProtocol {
  /// The text on one line, without characters that move the cursor or change the direction of writing.
  var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return String(self) }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isUnprintable {
        text.append(contentsOf: scalar.escaped.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// The width in columns of a terminal.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The beginning of the text, cut to a number of columns. Ends with an ellipsis if it was cut.
  func fitted(_ limit: Int) -> String {
    var used = 0
    var end = startIndex
    for index in indices {
      used += self[index].columns
      if used > limit { return limit < 1 ? "" : "\(self[..<end])…" }
      // The part to keep if the next character does not fit. The ellipsis needs one column.
      if used <= limit - 1 { end = self.index(after: index) }
    }
    return String(self)
  }

  /// The text with spaces behind it, up to a width.
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

  /// The text broken at spaces into at most `limit` lines. A line that is longer than the width is cut.
  func wrapped(_ width: Int, lines limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty {
        line = String(word)
      } else if lines.count == limit - 1 || line.columns + 1 + word.columns <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return (lines + [line]).map { $0.fitted(width) }
  }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format:
      return value == 0x061C || (0x200E...0x200F).contains(value) || (0x202A...0x202E).contains(value)
        || (0x2066...0x2069).contains(value) || value == 0xFEFF
    default: return false
    }
  }

  fileprivate var escaped: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0": "\\0"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }

  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}

extension Character {
  /// Two for East Asian characters and emoji, else one. This is an estimate, because terminals differ.
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first, first.value >= 0x300 else { return 1 }
    return first.isWide || unicodeScalars.contains("\u{FE0F}") ? 2 : 1
  }
}
