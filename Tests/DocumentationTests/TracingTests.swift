// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

/// Docs/Tracing.md is correct.
@Suite struct TracingTests {
  private let document = "Docs/Tracing.md"

  @Test func `The page on tracing shows the code that was compiled and run`() async throws {
    let listings = Listings()
    let shown = try listings.shown(in: document)
    var compiled = try listings.compiled(in: "Tests/DocumentationTests/TracingListing.swift")
    // These need other packages, and are compiled and run in those.
    compiled.merge(try listings.compiled(in: "Examples/WithPackages/Tests/TogetherTests.swift")) { first, _ in first }
    compiled["events"] = try await TracingListings().trace().map { try placed($0) }.joined(separator: "\n")
    compiled["changes"] = try await TracingListings().changes().map { try placed($0) }.joined(separator: "\n")
    #expect(shown.keys.sorted() == compiled.keys.sorted())
    for (name, code) in compiled {
      #expect(shown[name] == code, "\(document): the listing \(name) differs from what was compiled or said")
    }
    // Two of the listings are output.
    #expect(try listings.swiftBlocks(in: document) == compiled.count - 2)
  }

  /// The event as if each of these listings were a separate file.
  private func placed(_ event: String) throws -> String {
    let lines = try Listings().lines(of: "Tests/DocumentationTests/TracingListing.swift")
    var event = event
    // The page does not show the feature.
    let files = [
      ("file: feature", "Search.swift"), ("listing: test", "SearchTests.swift"), ("listing: typing", "main.swift"),
    ]
    for (mark, file) in files {
      let first = try #require(lines.firstIndex { $0.hasSuffix("// \(mark)") })
      let length = lines[first...].prefix { !$0.hasSuffix("// end") }.count
      event.replace(/DocumentationTests\/TracingListing\.swift:(\d+)/) { match in
        let line = (Int(match.1) ?? 0) - first - 1
        return (1..<length).contains(line) ? "MyApp/\(file):\(line)" : String(match.0)
      }
    }
    return event
  }

  @Test(arguments: [("TraceEvent", "Kind"), ("TraceRun", "Event")])
  func `The page names every possible event`(file: String, type: String) throws {
    let source = try Listings().lines(of: "Sources/EffectRuntime/Model/\(file).swift")
    let start = try #require(source.firstIndex { $0.contains("public enum \(type):") })
    let cases = source[start...].prefix { $0 != "  }" }.compactMap { line in
      line.firstMatch(of: /^ {4}(?:indirect )?case (\w+)/).map { String($0.1) }
    }
    #expect(cases.count > 5)
    let names = try Listings().lines(of: document).flatMap { line in
      line.matches(of: /`(\w+)`/).map { String($0.1) }
    }
    for name in cases { #expect(names.contains(name), "\(document) does not name \(name)") }
  }
}
