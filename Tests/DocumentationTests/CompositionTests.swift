// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@Suite struct `Pages about composition, navigation and views` {
  private let listings = Listings()

  private func check(_ page: String, against sources: [String]) throws {
    let shown = try listings.shown(in: page)
    let compiled = try sources.map(listings.compiled(in:)).reduce(into: [:]) { $0.merge($1) { $1 } }
    #expect(shown.keys.sorted() == compiled.keys.sorted())
    for (name, code) in compiled {
      #expect(shown[name] == code, "\(page): the listing \(name) differs from what is compiled")
    }
    #expect(try listings.swiftBlocks(in: page) == compiled.count)
  }

  @Test func `The page about composition shows the code that was compiled and run`() throws {
    try check("Docs/Composition.md", against: ["Tests/DocumentationTests/CompositionListing.swift"])
  }

  @Test func `The page about views shows the code that was compiled, and run on the host`() throws {
    try check(
      "Docs/Views.md",
      against: [
        "Tests/SwiftUIHostTests/Usage.swift", "Tests/SwiftUIHostTests/ViewsUsage.swift",
        "Tests/DocumentationTests/ObservationListing.swift",
      ])
  }

  @Test func `The page about navigation shows the code that was compiled, and run`() throws {
    try check(
      "Docs/Navigation.md",
      against: ["Tests/DocumentationTests/NavigationListing.swift", "Tests/SwiftUIHostTests/KitchenListing.swift"])
  }
}
