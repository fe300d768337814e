// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

/// Every row of Docs/Troubleshooting.md has existing tests, and every text that it quotes is printed.
@Suite struct `The page on troubleshooting` {
  /// The rows of all its tables, without their heads.
  private func rows() throws -> [[String]] {
    try Listings().rows(in: "Docs/Troubleshooting.md").filter { !["cause", "message", "kind"].contains($0[0]) }
  }

  /// All Swift files of a folder as one text.
  private func sources(in folder: String) throws -> String {
    let root = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appending(path: "../../\(folder)")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var texts: [String] = []
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { texts.append(try String(contentsOf: file, encoding: .utf8)) }
    }
    return texts.joined(separator: "\n")
  }

  @Test func `Every row has existing tests`() throws {
    let rows = try rows()
    #expect(rows.count > 70)
    let shown = rows.map { $0[0] }
    let proved = TroubleshootingRows.all.map { $0.cause }
    #expect(shown == proved)
    let parts = try sources(in: "Tests").components(separatedBy: "func `").dropFirst()
    let names = Set(parts.compactMap { $0.split(separator: "`", maxSplits: 1).first.map(String.init) })
    for row in TroubleshootingRows.all {
      #expect(!row.tests.isEmpty, "\(row.cause)")
      for name in row.tests { #expect(names.contains(name), "\(row.cause): there is no test \(name)") }
    }
  }

  @Test func `Every text that it quotes is printed by the code`() throws {
    let quotes = try rows().flatMap { row in row.joined().matches(of: /“([^”]+)”/).map { String($0.1) } }
    #expect(quotes.count > 30)
    // As they are printed: a string that is written on several lines is one string.
    let printed = try (sources(in: "Sources") + sources(in: "Tests"))
      .replacingOccurrences(of: #"\\\n *"#, with: "", options: .regularExpression)
      .replacingOccurrences(of: #""\s*\+ ""#, with: "", options: .regularExpression)
    for quote in quotes {
      // The parts between them are values, which differ from case to case.
      let parts = quote.split(separator: "…").map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.count > 3 }
      #expect(!parts.isEmpty, "\(quote)")
      for part in parts { #expect(printed.contains(part), "nothing prints: \(part)") }
    }
  }
}
