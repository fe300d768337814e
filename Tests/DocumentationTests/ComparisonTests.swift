// This source file is part of swift-effects. License: Apache-2.0.

import Testing

/// The comparison with similar libraries can be checked: every cell has a link target, every named test exists.
@Suite struct `The comparison` {
  private func page(_ name: String) throws -> String {
    try Listings().lines(of: name).joined(separator: "\n")
  }

  @Test func `Every row of the README leads to its section`() throws {
    let sections = try Listings().lines(of: "Docs/Comparison.md").filter { $0.hasPrefix("## ") }
      .map { $0.dropFirst(3).lowercased().filter { $0.isLetter || $0 == " " }.replacing(" ", with: "-") }
    let readme = try page("README.md")
    let table = try #require(readme.firstMatch(of: /## Compared with others\n(.|\n)*?\n\n[A-Z]/)).output.0
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| [") }
    #expect(rows.count > 8)
    for row in rows {
      let place = try #require(row.firstMatch(of: /\(Docs\/Comparison\.md#([a-z-]+)\)/)).output.1
      #expect(sections.contains(String(place)), "\(place)")
    }
  }

  @Test func `Every named test exists`() throws {
    let text = try page("Docs/Comparison.md")
    let proofs = text.matches(of: /\[([^\]]+)\]\(\.\.\/(Tests\/[A-Za-z\/]+\.swift)\)/)
    #expect(proofs.count > 7)
    for proof in proofs where proof.output.1.contains(" ") && !proof.output.1.hasPrefix("the ") {
      #expect(try page(String(proof.output.2)).contains("func `\(proof.output.1)"), "\(proof.output.1)")
    }
  }
}
