// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Synchronization
import Testing

/// Docs/Explorer.md is correct.
@Suite struct ExplorerTests {
  private let document = "Docs/Explorer.md"
  private let source = "Tests/DocumentationTests/ExplorerListing.swift"

  /// The output of the tests of the page: failures and results.
  private func said() async throws -> [String: String] {
    let listings = ExplorerListings()
    var texts = [
      "result": await listings.orders(of: FeedListing.Fixed.self),
      "half": try await red { await listings.half(of: FeedListing.HalfFixed.self) },
    ]
    texts["history"] = try await red { await listings.senders() }
    texts["red"] = try await red { _ = await listings.orders(of: FeedListing.Feed.self) }
    return texts
  }

  private func red(_ body: () async -> Void) async throws -> String {
    let said = await reportedFailures {
      await body()
    }
    #expect(said.count == 1)
    return try placed(try #require(said.first))
  }

  /// The text as if each listing were a separate file.
  private func placed(_ text: String) throws -> String {
    let lines = try Listings().lines(of: source)
    var text = text
    for (listing, file) in [("feature", "Feed.swift"), ("explore", "FeedTests.swift")] {
      let first = try #require(lines.firstIndex { $0.hasSuffix("// listing: \(listing)") })
      let length = lines[first...].prefix { !$0.hasSuffix("// end") }.count
      text.replace(/(?:DocumentationTests\/)?ExplorerListing\.swift:(\d+)/) { match in
        let line = (Int(match.1) ?? 0) - first - 1
        guard (1..<length).contains(line) else { return String(match.0) }
        return "\(match.0.contains("/") ? "MyApp/" : "")\(file):\(line)"
      }
    }
    return text
  }

  @Test func `The page on exploring shows the code that was compiled and run, and its output`() async throws {
    let listings = Listings()
    let shown = try listings.shown(in: document)
    var compiled = try listings.compiled(in: source)
    let swift = compiled.count
    compiled["own"]?.replace("return await", with: "await")
    compiled.merge(try await said()) { first, _ in first }
    for (name, code) in compiled {
      let own = shown[name]
      // The page may show only the beginning of a failure.
      let isBeginning = ["half", "history"].contains(name) && own.map { code.hasPrefix($0) } == true
      #expect(own == code || isBeginning, "\(document): the listing \(name) differs from what was compiled or said")
    }
    #expect(shown.keys.sorted() == compiled.keys.sorted())
    #expect(try listings.swiftBlocks(in: document) == swift)
  }

  @Test func `A feed that is only half fixed has another gap`() async throws {
    #expect(try await red { await ExplorerListings().replay(of: FeedListing.Feed.self) } != "")
    // It cancels a run that has not been called. Whether its closure is called is a step that the schedule does not
    // contain.
    #expect(
      try await red { await ExplorerListings().replay(of: FeedListing.HalfFixed.self) }
        .hasPrefix("The schedule does not fit: step 5, `e1`, is not possible. Possible are `c0 c1`."))
  }

  @Test func `Every parameter of an exploration is on the page`() throws {
    let text = try Listings().lines(of: document).joined(separator: "\n")
    let folder = "Sources/EffectTesting/Explorer"
    for file in ["Requirement", "Faults", "Grain", "Search"] {
      for line in try Listings().lines(of: "\(folder)/\(file).swift") {
        guard let name = line.firstMatch(of: /^ {4}(?:public static (?:var|func|let) |case )(\w+)/)?.1 else { continue }
        #expect(text.contains("\(name)"), "\(document) does not tell of \(name)")
      }
    }
  }
}
