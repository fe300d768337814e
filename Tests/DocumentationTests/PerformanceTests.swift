// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

/// The numbers in Docs/Performance.md are a selection of those in Tests/Benchmarks/README.md.
@Suite struct `The page on performance` {
  /// One row of a result, with a line for each contestant or size.
  private struct Row {
    var name: String
    var title: String
    var lines: [(who: String, cost: String, rest: String)] = []

    func cost(_ who: String) -> String { lines.first { $0.who == who }?.cost ?? "-" }

    var verdict: String {
      if lines.contains(where: { $0.rest.contains("MISSED") }) { return "missed" }
      return lines.contains { $0.rest.contains(" met ") } ? "met" : "-"
    }
  }

  /// All results.
  private func results() throws -> [Row] {
    var rows: [Row] = []
    for line in try Listings().lines(of: "Tests/Benchmarks/README.md").drop(while: { !$0.hasPrefix("## Result") }) {
      if let match = line.wholeMatch(of: /([a-z-]+): (.+)/), match.1 != "missed" {
        rows.append(Row(name: String(match.1), title: String(match.2)))
      } else if let match = line.wholeMatch(of: /\ {4}(.+?) {2,}([\d,.]+ (?:ns|bytes))(.*)/), !rows.isEmpty {
        rows[rows.count - 1].lines.append((String(match.1), String(match.2), String(match.3)))
      }
    }
    return rows
  }

  private func table(under head: String) throws -> [String] {
    try Listings().lines(of: "Docs/Performance.md").drop { !$0.hasPrefix(head) }.dropFirst(2).prefix {
      $0.hasPrefix("|")
    }
    .sorted()
  }

  @Test func `The costs of a unit of work are the numbers that the benchmarks printed`() throws {
    let rows = try results().filter { $0.cost("swift-effects") != "-" }
    #expect(rows.count > 10)
    let expected = rows.map { row in
      "| `\(row.name)` | \(row.title) | \(row.cost("swift-effects")) | \(row.cost("bare")) | \(row.cost("stream")) |"
    }
    let shown = try table(under: "| row | one unit")
    #expect(shown.count > 10)
    #expect(shown.filter { !expected.contains($0) } == [])
  }

  @Test func `The numbers of the README are those that the benchmarks printed`() throws {
    let readme = try Listings().lines(of: "README.md").joined(separator: "\n")
    let text = try #require(readme.firstMatch(of: /In numbers(.|\n)*?All numbers/)).output.0
    let shown = [
      "one-producer": ["swift-effects", "bare", "stream"], "run": ["swift-effects", "bare"],
      "test-step": ["swift-effects"],
    ]
    let rows = try results()
    for (name, contestants) in shown {
      let row = try #require(rows.first { $0.name == name })
      for contestant in contestants { #expect(text.contains(row.cost(contestant)), "\(name), \(contestant)") }
    }
    #expect(text.matches(of: /[\d.,]*\d ns/).count == 6)
  }

  @Test func `The costs that grow are the numbers that the benchmarks printed`() throws {
    let rows = try results().filter { $0.name.hasPrefix("growth-") && $0.verdict != "-" }
    #expect(rows.count > 5)
    let expected = try rows.map { row in
      let first = try #require(row.lines.first)
      let last = try #require(row.lines.last)
      return "| `\(row.name)` | \(row.title) | \(first.who): \(first.cost) | \(last.who): \(last.cost) |"
    }
    let shown = try table(under: "| row | what")
    #expect(shown.count > 5)
    #expect(shown.filter { !expected.contains($0) } == [])
  }

  @Test func `The costs of listening are the numbers that the benchmarks printed`() throws {
    let rows = try results().filter { $0.name.hasPrefix("trace-") }
    #expect(rows.count == 3)
    let expected = try rows.map { row in
      let rest = try #require(row.lines.last).rest
      let more = try #require(rest.firstMatch(of: /(-?[\d.]+ ns) more/)).1
      return "| `\(row.name)` | \(row.title) | \(more) |"
    }
    #expect(try table(under: "| row | listening").joined(separator: "\n") == expected.sorted().joined(separator: "\n"))
  }
}
