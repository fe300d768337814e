// This source file is part of swift-effects. License: Apache-2.0.

import Testing

/// The pages of the examples show the existing files. A comment above each block names the file that it is copied from,
/// or the command that prints it; `.ci/run` compares the output of the commands.
@Suite struct `Pages of the examples` {
  private static let pages = [
    "01-counter", "02-live-search", "03-login", "04-profile", "07-stopwatch", "10-app", "11-race",
    "12-cookbook", "13-shared", "14-cache", "15-demos",
    "WithPackages/05-articles", "WithPackages/06-downloads", "WithPackages/08-chat", "WithPackages/09-link-check",
    "WithPackages/16-orders", "WithPackages/18-race-lab",
  ]

  @Test(arguments: pages)
  func `A page shows code of the file that it names`(example: String) throws {
    for block in try Listings().blocks(in: "Examples/\(example)/README.md") {
      let place = try #require(block.announcement, "\(example): nothing says where this is from: \(block.lines)")
      if place.hasPrefix("swift run ") { continue }
      let file = try Listings().lines(of: "Examples/\(example)/\(place)")
      let isThere = file.contains(block.lines)
      #expect(isThere, "\(example): this does not stand in \(place): \(block.lines)")
    }
  }

  @Test func `The lines of the demos are those of their files`() throws {
    let rows = try Listings().lines(of: "Examples/15-demos/README.md").compactMap {
      $0.wholeMatch(of: /\| [a-z -]+ \| (`.*`) \| (\d+) \| (\d+) \|/)
    }
    #expect(rows.count == 4)
    for row in rows {
      let files = row.1.matches(of: /`(\w+)\.swift`/).map { String($0.1) }
      let first = try #require(files.first)
      // The last line ends with a line break, so one more is read, which is empty.
      let lines = try files.map { try Listings().lines(of: "Examples/15-demos/Sources/\($0).swift").count - 1 }
      let tests = try Listings().lines(of: "Examples/15-demos/Tests/\(first)Tests.swift").count - 1
      #expect(lines.reduce(0, +) == Int(row.2), "\(files)")
      #expect(tests == Int(row.3), "\(files)")
    }
  }

  @Test func `The lines of the cookbook are those of its files`() throws {
    func lines(_ files: [String]) throws -> Int {
      try files.map { try Listings().lines(of: "Examples/12-cookbook/\($0).swift").count - 1 }.reduce(0, +)
    }
    let page = try Listings().lines(of: "Examples/12-cookbook/README.md")
    let screens = try lines(["CookbookScreen", "FormScreen", "RecipeScreen"].map { "Sources/Screens/\($0)" })
    let logic = try lines(["Cookbook", "RecipeForm", "RecipePage", "Cooking"].map { "Sources/\($0)" })
    #expect(page.contains("| screens | \(screens) | \(try lines(["ScreenTests/PlainScreens"])) |"))
    #expect(page.contains("| logic | \(logic) | \(try lines(["ScreenTests/PlainModels"])) |"))
  }

  @Test func `The red test of the counter is the green one without its receive, at the same lines`() throws {
    let green = try Listings().body(in: "Examples/01-counter/Tests/CounterTests.swift")
    let red = try Listings().body(in: "Examples/01-counter/Tests/RedTests.swift")
    #expect(red.start == green.start)
    #expect(red.lines == green.lines.filter { !$0.contains("store.receive") })
    #expect(red.lines.count == green.lines.count - 1)
  }
}

extension Listings {
  /// The first function of a file, and the line at which it begins.
  fileprivate func body(in path: String) throws -> (start: Int, lines: [String]) {
    let all = try lines(of: path)
    let start = try #require(all.firstIndex { $0.contains("func ") })
    return (start, Array(all[(start + 1)...].prefix { $0 != "}" }))
  }

  /// The Swift blocks and the text blocks of a document, each with the comment above it.
  fileprivate func blocks(in path: String) throws -> [(announcement: String?, lines: [String])] {
    var rest = try lines(of: path)[...]
    var found: [(announcement: String?, lines: [String])] = []
    while let start = rest.firstIndex(where: { $0 == "```swift" || $0 == "```text" }) {
      let end = try #require(rest[start...].firstIndex(of: "```"))
      let above = rest[..<start].last?.wholeMatch(of: /<!-- (.*) -->/)
      found.append((above.map { String($0.1) }, Array(rest[(start + 1)..<end])))
      rest = rest[(end + 1)...]
    }
    return found
  }
}

extension [String] {
  /// Whether the lines occur in these lines, one after another and with the same indentation.
  fileprivate func contains(_ block: [String]) -> Bool {
    indices.contains { start in
      guard let first = block.first, self[start].hasSuffix(first) else { return false }
      let indent = String(self[start].dropLast(first.count))
      let indented = block.map { $0.isEmpty ? $0 : indent + $0 }
      return indent.allSatisfy { $0 == " " } && self[start...].starts(with: indented)
    }
  }
}
