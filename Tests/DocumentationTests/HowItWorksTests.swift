// This source file is part of swift-effects. License: Apache-2.0.

import Testing

/// That Docs/HowItWorks.md tells of all there is.
@Suite struct `The page on how it works` {
  @Test(arguments: [
    ("Execution/Mailbox.Message", "package enum Message<"), ("Scheduling/Registry", "package enum Command:"),
  ])
  func `Every message and every command stands in a table, and no other`(file: String, type: String) throws {
    let source = try Listings().lines(of: "Sources/EffectRuntime/\(file).swift")
    let start = try #require(source.firstIndex { $0.hasPrefix(type) })
    let cases = source[start...].prefix { $0 != "}" }.compactMap { line in
      line.firstMatch(of: /^ {2}(?:indirect )?case (\w+)/).map { String($0.1) }
    }
    let head = type.contains("Message") ? "message" : "command"
    let rows = try Listings().lines(of: "Docs/HowItWorks.md").drop { $0 != "| \(head) | |" }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    let told = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(cases.count > 4)
    #expect(told.sorted() == cases.sorted())
  }
}
