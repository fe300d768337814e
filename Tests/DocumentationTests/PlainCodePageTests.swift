// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Docs/PlainCode.md is correct.
@Suite struct PlainCodePageTests {
  private let page = "Docs/PlainCode.md"
  private let source = "Tests/DocumentationTests/PlainListing.swift"

  /// What a failing exploration of the page says.
  private func red(_ body: () async -> Exploration) async throws -> String {
    let said = await reportedFailures { _ = await body() }
    #expect(said.count == 1)
    return try #require(said.first).replacing(/"(\w+)" at DocumentationTests\/PlainListing\.swift:\d+/) { match in
      "\"\(match.1)\" at MyAppTests/CacheTests.swift:9"
    }
  }

  @Test func `The page shows the code that was compiled and run, and its output`() async throws {
    let listings = Listings()
    let shown = try listings.shown(in: page)
    var compiled = try listings.compiled(in: source)
    for name in ["outlives", "stream", "cancelled"] { compiled[name]?.replace("return await", with: "await") }
    let swift = compiled.count
    compiled["twice"] = try await red { await PlainListing.cache() }
    compiled["result"] = "\(await PlainListing.fixedCache())"
    compiled["red-lost"] = try await red { await PlainListing.update() }
    compiled["red-outlives"] = try await red { await PlainListing.ticker(ends: false) }
    compiled["red-stream"] = try await red { await PlainListing.stream(.bufferingOldest(2)) }
    compiled["red-cancelled"] = try await red { await PlainListing.ticket(isFixed: false) }
    for (name, code) in compiled {
      #expect(shown[name] == code, "the listing \(name) differs from what was compiled or said")
    }
    #expect(shown.keys.sorted() == compiled.keys.sorted())
    #expect(try listings.swiftBlocks(in: page) == swift)
  }

  @Test func `The corrected programs of the page are complete`() async {
    for result in [
      await PlainListing.fixedCache(), await PlainListing.fixedUpdate(), await PlainListing.ticker(ends: true),
      await PlainListing.stream(.unbounded), await PlainListing.ticket(isFixed: true),
    ] { #expect(result.completeLevel == .steps, "\(result)") }
  }
}
