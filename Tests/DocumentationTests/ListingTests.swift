// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@Suite struct `Documents` {
  private let source = "Tests/DocumentationTests/SearchListing.swift"

  @Test func `The README shows the code that was compiled and run`() throws {
    let listings = Listings()
    let shown = try listings.shown(in: "README.md")
    var compiled = try listings.compiled(in: source)
    compiled["field"] = try listings.compiled(in: "Tests/SwiftUIHostTests/Usage.swift")["field"]
    // The output of a failing test is compared in `RedTests.swift`.
    #expect(shown.keys.sorted() == (compiled.keys + ["complete", "stale"]).sorted())
    for (name, code) in compiled {
      #expect(shown[name] == code, "README.md: the listing \(name) differs from what is compiled")
    }
  }

  @Test func `The page about testing shows the code that was compiled and run`() throws {
    let listings = Listings()
    let shown = try listings.shown(in: "Docs/Testing.md")
    let files = ["Tests/DocumentationTests/TimeListing.swift", "Tests/DocumentationTests/TestingListing.swift"]
    let compiled = try files.map { try listings.compiled(in: $0) }
    #expect(shown.keys.sorted() == (compiled.flatMap(\.keys) + ["red"]).sorted())
    for (file, found) in zip(files, compiled) {
      for (name, code) in found {
        #expect(shown[name] == code, "Docs/Testing.md: the listing \(name) differs from \(file)")
      }
    }
  }

  @Test func `Every Swift listing of the README was compiled, except the package manifest`() throws {
    let listings = Listings()
    // The view is compiled on the host.
    #expect(try listings.swiftBlocks(in: "README.md") == listings.compiled(in: source).count + 2)
  }
}
