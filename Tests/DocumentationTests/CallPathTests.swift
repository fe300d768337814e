// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

/// The paths of `Docs/Contributors/HowItWorks.md`: each function of a row is declared in the file of the row.
@Suite struct CallPathTests {
  @Test func `Each function of a path is declared in the file that the page names`() throws {
    let rows = try Self.rows()
    #expect(rows.count > 60, "the page has three paths")
    for row in rows {
      let text = try row.files.map { try contents(of: $0) }.joined()
      for name in row.calls {
        #expect(text.contains("func \(name)(") || text.contains("func \(name)<"), "\(name) is not in \(row.files)")
      }
    }
  }

  @Test func `The engine can be read in one evening: ten files of at most 2,500 lines`() throws {
    let page = try String(contentsOf: Self.root.appending(path: "Docs/Contributors/HowItWorks.md"), encoding: .utf8)
    let list = page.split(separator: "## One evening's reading").last?.split(separator: "Then what you need:").first
    let files = try #require(list).matches(of: #/\(\.\.\/\.\.\/(Sources\/[^)]*)\)/#).map { String($0.1) }
    #expect(files.count == 10)
    let lines = try files.map { file in
      try String(contentsOf: Self.root.appending(path: file), encoding: .utf8).count { $0 == "\n" }
    }
    #expect(lines.reduce(0, +) <= 2_500)
  }

  private struct Row {
    let calls: [String]
    let files: [String]
  }

  /// The rows with three columns whose last one names files of Swift.
  private static func rows() throws -> [Row] {
    let page = try String(contentsOf: root.appending(path: "Docs/Contributors/HowItWorks.md"), encoding: .utf8)
    return page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      guard cells.count == 3, let last = cells.last, last.contains(".swift`") else { return nil }
      let calls = names(in: cells[cells.startIndex + 1])
      guard !calls.isEmpty, calls.allSatisfy({ !$0.contains(".") && !$0.contains("/") }) else { return nil }
      return Row(calls: calls, files: names(in: last))
    }
  }

  private static func names(in cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, part in
      index.isMultiple(of: 2) ? nil : String(part)
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func contents(of file: String) throws -> String {
    let folders = file.hasPrefix("EffectCore/") ? [""] : ["EffectRuntime/", "EffectTesting/"]
    for folder in folders {
      let url = Self.root.appending(path: "Sources/\(folder)\(file)")
      if let text = try? String(contentsOf: url, encoding: .utf8) { return text }
    }
    throw MissingFile(name: file)
  }

  private struct MissingFile: Error {
    let name: String
  }
}
