// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Docs/Mocks.md shows the code that was compiled, and what it printed.
@Suite struct `The page on mocks` {
  @Test func `It shows the code that was compiled and run, and its output`() async throws {
    let listings = Listings()
    let failures = await Listings.failures { await MocksListing.withoutAnAnswer() }
    #expect(failures.count == 1)
    let text = try listings.placed(
      failures.first ?? "", of: "MocksListing.swift",
      ["feature": "Bookmarks.swift", "no-answer": "BookmarksTests.swift"])
    let orders = await Listings.failures { await MocksListing.everyOrder(of: FeedListing.Feed.self) }
    let failure = try #require(orders.first)
    let sameOrder = try #require(
      failure.firstMatch(of: /The same order as a test.*(?=\n\nRun this)/.dotMatchesNewlines()))
    try listings.check(
      "Docs/Mocks.md", against: ["MocksListing.swift"],
      texts: [
        "red": text.replacing("MyApp/BookmarksTests", with: "MyAppTests/BookmarksTests"),
        "same-order": String(sameOrder.0).replacing("FeedListing.", with: ""),
      ])
  }

  @Test func `Each listing does what the page says`() async throws {
    await MocksListing.doubleTap()
    await MocksListing.loadMoreDuringRefresh()
    await MocksListing.failingSave()
    await MocksListing.everyOrder(of: FeedListing.Fixed.self)
    await MocksListing.underAStore()
    try await MocksListing.arguments()
  }

  @Test func `A request that arrives after its cancel is tried by a service in a task, and not by a mock`() async {
    let failures = await Listings.failures { _ = await MocksListing.late(.restart) }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("finally") == true)
    for overlap in [Overlap.keepLatest, .restart(exclusive: true)] {
      #expect(await MocksListing.late(overlap).failure == nil)
    }
    let atTheCall = await MocksListing.atTheCall(.restart)
    atTheCall.expectComplete()
    #expect(atTheCall.failure == nil)
  }
}
