// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/GettingStarted.md, as is the feature of `SearchListing.swift`.

import EffectTesting
import Foundation
import Testing

@Suite struct `Getting started` {
  private let page = "Docs/GettingStarted.md"
  private let source = "GettingStartedListing.swift"

  func first() async {
    // listing: first
    let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))

    store.send(.queryChanged("swift"))
    await store.finish()
    // end
  }

  func second() async {
    // listing: second
    let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))

    store.send(.queryChanged("swift")) { $0.query = "swift" }
    await store.finish()
    // end
  }

  func program(print: (String) -> Void) async {
    // listing: program
    let words = ["swift", "swiftly", "swim", "rust"]
    let store = Store(
      initialState: Search.State(),
      reducer: Search(find: { query in words.filter { $0.hasPrefix(query) } }))

    await store.send(.queryChanged("swif")).finish()              // returns when the search has settled
    print("\(await store.state.results)")
    // end
  }

  /// The file that contains a test of the page, with a body that was run.
  private func file(_ body: String) -> String {
    let indented = body.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
    return (["@testable import MyApp", "import EffectTesting", "import Testing", "", "@Test func searching() async {"]
      + indented + ["}"]).joined(separator: "\n")
  }

  /// A text as if test and feature were in separate files. Five lines come before the body of the test.
  private func placed(_ text: String, _ listing: String) throws -> String {
    let lines = try Listings().lines(of: "Tests/DocumentationTests/\(source)")
    let first = try #require(lines.firstIndex { $0.hasSuffix("// listing: \(listing)") })
    let own = text.replacing(/GettingStartedListing\.swift:(\d+)/) {
      "SearchTests.swift:\((Int($0.1) ?? 0) - first - 1 + 5)"
    }
    return try Listings().placed(own, of: "SearchListing.swift", ["feature": "Search.swift"])
  }

  @Test func `The page on getting started shows the code that was compiled and run, and its output`() async throws {
    let listings = Listings()
    let bodies = try listings.compiled(in: "Tests/DocumentationTests/\(source)")
    let readme = try listings.compiled(in: "Tests/DocumentationTests/SearchListing.swift")
    let first = try #require(await Listings.failures(first).first)
    let second = await Listings.failures(second)
    #expect(second.count == 1)
    var printed: [String] = []
    await program { printed.append($0) }
    try listings.check(
      page, against: [],
      swift: [
        "manifest": try manifest(),
        "feature": try #require(readme["feature"]),
        "first": file(try #require(bodies["first"])),
        "third": "@testable import MyApp\n" + (try #require(readme["test"])),
        "program": try "import EffectRuntime\n\n" + #require(bodies["program"]),
      ],
      texts: [
        "first-red": try placed(first, "first"),
        "second-red": try placed(try #require(second.first), "second"),
        "printed": printed.joined(separator: "\n"),
      ])
  }

  /// The same as in the README, except that it is a program instead of a library.
  private func manifest() throws -> String {
    let lines = try Listings().lines(of: "README.md")
    let start = try #require(lines.firstIndex { $0.hasPrefix("// swift-tools-version") })
    let manifest = lines[start...].prefix { $0 != "```" }.joined(separator: "\n")
    return manifest.replacing("    .target(name", with: "    .executableTarget(name")
  }
}
