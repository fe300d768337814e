// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Rules of Mermaid diagrams` {
  /// Without characters that Mermaid would not take as text.
  private static let text = "([^;#\"<>%$\\\\&`]|#[0-9a-z]+;)*"

  private func isWellFormed(_ line: Substring) throws -> Bool {
    let patterns = [
      "participant (U as outside|S as store)", "participant R[0-9]+ as \(Self.text)",
      "(activate|deactivate) R[0-9]+", "(U|S|R[0-9]+)(->>|-->>|-x|--x)(S|R[0-9]+): \(Self.text)",
      "Note over (S|R[0-9]+|U,S|S,R[0-9]+): \(Self.text)",
    ]
    return try patterns.contains { try Regex("  " + $0).wholeMatch(in: line) != nil }
  }

  @Test func `Every line is valid Mermaid, for any trace`() throws {
    for seed in UInt64(0)..<12 {
      let lines = Timeline.mermaid(Soup(seed: seed).events(150)).split(separator: "\n")
      #expect(lines.first == "sequenceDiagram")
      let wrong = try lines.dropFirst().filter { try !isWellFormed($0) }
      #expect(wrong == [], "seed \(seed)")
    }
  }

  @Test func `Only an active participant is deactivated, and none is activated twice`() {
    for seed in UInt64(0)..<30 {
      var active: Set<Substring> = []
      for line in Timeline.mermaid(Soup(seed: seed).events(200)).split(separator: "\n") {
        let words = line.split(separator: " ")
        if words[0] == "activate" { #expect(active.insert(words[1]).inserted, "seed \(seed)") }
        if words[0] == "deactivate" { #expect(active.remove(words[1]) != nil, "seed \(seed)") }
      }
    }
  }

  @Test func `Twelve runs and two hundred rows are drawn at most, and the omitted ones are reported`() {
    let many = Timeline.mermaid(Scripts.many().events).split(separator: "\n")
    #expect(many.filter { $0.hasPrefix("  participant") }.count == 14)
    #expect(
      many.contains(
        "  Note over U,S: 12 of 40 runs are drawn: first those that fail, lose actions or return late, "
          + "then the active ones, then the newest. 28 runs and 56 rows about them are left out."))
    #expect(!many.contains { $0.contains("R1-") || $0.contains("R1:") })
    let long = Timeline.mermaid(Scripts.instant().events).split(separator: "\n")
    #expect(long.filter { $0.contains("U->>S") }.count == 200)
    #expect(long.contains("  Note over S: 203 rows are left out here"))
    #expect(long.joined().utf8.count < 50_000, "which is as much as Mermaid reads")
  }
}
