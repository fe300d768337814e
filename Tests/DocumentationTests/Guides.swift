// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Synchronization
import Testing

extension Listings {
  /// Checks that a page shows exactly the code that was compiled and the text that was printed, and no other Swift
  /// code.
  ///
  /// - Parameters:
  /// - sources: files of this target whose listings the page shows, all of them.
  /// - swift: listings that are composed from compiled code.
  /// - texts: printed texts.
  func check(
    _ page: String, against sources: [String], swift: [String: String] = [:], texts: [String: String] = [:]
  ) throws {
    let shown = try shown(in: page)
    var compiled = swift
    for source in sources { compiled.merge(try self.compiled(in: "Tests/DocumentationTests/\(source)")) { $1 } }
    #expect(try swiftBlocks(in: page) == compiled.count)
    compiled.merge(texts) { $1 }
    #expect(shown.keys.sorted() == compiled.keys.sorted())
    for (name, text) in compiled {
      #expect(shown[name] == text, "\(page): the listing \(name) differs from what is compiled or printed")
    }
  }

  /// A text as if each listing of a source were a separate file.
  func placed(_ text: String, of source: String, _ files: KeyValuePairs<String, String>) throws -> String {
    let lines = try lines(of: "Tests/DocumentationTests/\(source)")
    var text = text
    for (listing, file) in files {
      let first = try #require(lines.firstIndex { $0.hasSuffix("// listing: \(listing)") })
      let length = lines[first...].prefix { !$0.hasSuffix("// end") }.count
      text.replace(/(DocumentationTests\/)?(\w+\.swift):(\d+)/) { match in
        let line = (Int(match.3) ?? 0) - first - 1
        guard match.2 == source, (1..<length).contains(line) else { return String(match.0) }
        return "\(match.1 == nil ? "" : "MyApp/")\(file):\(line)"
      }
    }
    return text
  }

  /// The cells of the rows of all tables in a page, without the lines below the heads.
  func rows(in page: String) throws -> [[String]] {
    try lines(of: page).filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The texts of a failing test, failure by failure.
  static func failures(_ test: () async -> Void) async -> [String] {
    let said = await reportedFailures {
      await test()
    }
    return said
  }
}
