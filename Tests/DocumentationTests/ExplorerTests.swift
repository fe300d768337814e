// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Synchronization
import Testing

/// Docs/Explorer.md and Docs/ExplorerReference.md are correct.
@Suite struct ExplorerTests {
  private let tutorial = "Docs/Explorer.md"
  private let reference = "Docs/ExplorerReference.md"
  private let source = "Tests/DocumentationTests/ExplorerListing.swift"

  /// The output of the tests of the page: failures and results.
  private func said() async throws -> [String: String] {
    let listings = ExplorerListings()
    var texts = ["result": await listings.orders(of: FeedListing.Fixed.self)]
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

  @Test func `The pages on exploring show the code that was compiled and run, and its output`() async throws {
    let listings = Listings()
    var shown = try listings.shown(in: tutorial)
    shown.merge(try listings.shown(in: reference)) { "\($0)\n\nand on the other page:\n\($1)" }
    var compiled = try listings.compiled(in: source)
    let swift = compiled.count
    compiled["own"]?.replace("return await", with: "await")
    compiled.merge(try await said()) { first, _ in first }
    for (name, code) in compiled {
      #expect(shown[name] == code, "the listing \(name) differs from what was compiled or said")
    }
    #expect(shown.keys.sorted() == compiled.keys.sorted())
    #expect(try listings.swiftBlocks(in: tutorial) + listings.swiftBlocks(in: reference) == swift)
  }

  @Test func `Answers that are not linearizable fail as the reference says`() async throws {
    let beginning = "The answers are not linearizable"
    #expect(try await red { await ExplorerListings().senders() }.hasPrefix(beginning))
    #expect(try Listings().lines(of: reference).contains { $0.contains("`\(beginning)`") })
  }

  @Test func `A replay fails, and does not fit a feed that is only half fixed`() async throws {
    #expect(try await red { await ExplorerListings().replay(of: FeedListing.Feed.self) } != "")
    // It cancels a run that has not been called. Whether its closure is called is a step that the schedule does not
    // contain.
    #expect(
      try await red { await ExplorerListings().replay(of: FeedListing.HalfFixed.self) }
        .hasPrefix("The schedule does not fit: step 5, `e1`, is not possible. Possible are `c0 c1`."))
  }

  @Test func `Every level, budget, requirement, fault and step of a script is in the reference`() throws {
    let text = try Listings().lines(of: reference).joined(separator: "\n")
    let folder = "Sources/EffectTesting/Explorer"
    for file in ["Requirement", "Faults", "Exploration.Options"] {
      for line in try Listings().lines(of: "\(folder)/\(file).swift") {
        guard let name = line.firstMatch(of: /^ {4}(?:public static (?:var|func|let) |case )(\w+)/)?.1 else { continue }
        #expect(text.contains("\(name)"), "\(reference) does not tell of \(name)")
      }
    }
    let steps = [
      "Exploration.Script", "Senders/Exploration.Script+Senders", "Generated/Exploration.Script+Generating",
      "Generated/Exploration.Values",
    ]
    for file in steps {
      for line in try Listings().lines(of: "\(folder)/\(file).swift") {
        guard let name = line.firstMatch(of: /^ +public (?:static )?func (\w+)/)?.1 else { continue }
        #expect(text.contains(".\(name)("), "\(reference) does not tell of \(name)")
      }
    }
  }

  @Test func `The defaults of the parameters are those in the reference`() throws {
    let rows = try Listings().rows(in: reference)
    let source = try ["Explore", "Exploration.Options"].map {
      try Listings().lines(of: "Sources/EffectTesting/Explorer/\($0).swift").joined(separator: "\n")
    }.joined()
    let parameters = source.matches(
      of: /(\w+): (?:Int|UInt64|String\?|\[CarriedValue\]|Exploration\.\w+) = ([\w.\[\]]+(?:\([\d_]*\))?)/)
    #expect(Set(parameters.map { String($0.1) }).count == 9)
    for parameter in parameters {
      let row = ["`\(parameter.1):`", "`\(parameter.2)`"]
      #expect(rows.contains { Array($0.prefix(2)) == row }, "\(reference) has no row \(row)")
    }
  }
}
