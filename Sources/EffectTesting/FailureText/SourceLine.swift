// This source file is part of swift-effects. License: Apache-2.0.

/// A line of a test's file. A failure quotes it if it has no other text for what the test has written there.
struct SourceLine {
  /// The line without its indentation; `nil` if the file is not on this machine, or has changed and is shorter.
  let text: String?

  init(at location: TestLocation) {
    let line = Self.lines(from: location).first?.drop(while: \.isWhitespace) ?? ""
    text = line.isEmpty ? nil : String(line)
  }

  /// The argument with this label of a call that begins on a line, as it is written there; `nil` if it is not found, or
  /// extends over several lines.
  static func argument(_ label: String, ofCallAt location: TestLocation) -> String? {
    for line in lines(from: location) {
      if let found = line.firstRange(of: "\(label):") { return argument(line[found.upperBound...]) }
    }
    return nil
  }

  /// The text up to the comma or parenthesis that ends an argument; without either, all of it. `nil` if a parenthesis is
  /// still open at the end.
  private static func argument(_ text: Substring) -> String? {
    var depth = 0
    var end = text.endIndex
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth < 0 || (depth == 0 && text[index] == ",") {
        end = index
        break
      }
    }
    let argument = text[..<end].drop(while: \.isWhitespace)
    return argument.isEmpty || depth > 0 ? nil : String(argument)
  }

  /// The lines of the file from the location on, at most ten.
  private static func lines(from location: TestLocation) -> [Substring] {
    // By code units: as a `Character`, "\r\n" is not a "\n".
    guard location.line > 0, let file = TextFile.read("\(location.filePath)")?.utf8 else { return [] }
    return file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropFirst(Int(location.line) - 1).prefix(10).map { Substring($0).split(separator: "\r").first ?? "" }
  }
}
