// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

/// Docs/README.md links to every page, and every page states its topic and links to other pages.
@Suite struct `The map of the documentation` {
  private static var pages: [String] {
    let docs = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appending(path: "../../Docs").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: docs)) ?? []
    return files.filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted()
  }

  @Test func `It links to every page`() throws {
    let map = try Listings().lines(of: "Docs/README.md").joined(separator: "\n")
    #expect(Self.pages.count > 15)
    for page in Self.pages { #expect(map.contains("](\(page))"), "Docs/README.md does not lead to \(page)") }
    let readme = try Listings().lines(of: "README.md").joined(separator: "\n")
    #expect(readme.contains("](Docs/README.md)"))
  }

  @Test(arguments: pages)
  func `A page begins with its title and a paragraph about its topic`(page: String) throws {
    let lines = try Listings().lines(of: "Docs/\(page)")
    try #require(lines.count > 3)
    #expect(lines[0].hasPrefix("# "))
    #expect(lines[1].isEmpty)
    #expect(lines[2].first?.isLetter == true)
    var isCode = false
    let titles = lines.filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && line.hasPrefix("# ")
    }
    #expect(titles.count == 1)
  }

  @Test(arguments: pages + ["README.md"])
  func `A link to a section leads to a section`(page: String) throws {
    for line in try Listings().lines(of: "Docs/\(page)") {
      for link in line.matches(of: /\]\(([A-Za-z]+\.md)?#([a-z0-9-]+)\)/) {
        let target = link.1.map(String.init) ?? page
        let sections = try Listings().lines(of: "Docs/\(target)").filter { $0.hasPrefix("#") }.map(anchor)
        #expect(sections.contains(String(link.2)), "Docs/\(page): \(target) has no section \(link.2)")
      }
    }
  }

  /// The anchor that GitHub makes of a heading.
  private func anchor(_ title: String) -> String {
    title.drop { $0 == "#" || $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
      .replacing(" ", with: "-")
  }
}
