// This source file is part of swift-effects. License: Apache-2.0.

/// A line of a test's file, for a failure that cannot name what the test has written there.
struct SourceLine {
  /// The line without its indentation; `nil` if the file is not on this machine, or has changed and is shorter.
  let text: String?

  init(at location: TestLocation) {
    // By code units: as a `Character`, "\r\n" is not a "\n".
    let lines = TextFile.read("\(location.filePath)")?.utf8
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    let index = Int(location.line) - 1
    guard let lines, lines.indices.contains(index) else {
      text = nil
      return
    }
    let line = lines[index].drop(while: \.isWhitespace).split(separator: "\r").first ?? ""
    text = line.isEmpty ? nil : String(line)
  }
}
