// This source file is part of swift-effects. License: Apache-2.0.

import Testing

/// Docs/Contributors/HowItWorks.md lists all messages, inputs and outputs.
@Suite struct `The page on how it works` {
  @Test(arguments: [
    ("message", "Execution/Mailbox.Message", "package enum Message<"),
    ("input", "Engine/EngineInput", "package enum EngineInput<"),
    ("output", "Scheduling/EngineOutput", "package enum EngineOutput:"),
  ])
  func `Every message, input and output is in a table, and no other`(head: String, file: String, type: String) throws {
    let source = try Listings().lines(of: "Sources/EffectRuntime/\(file).swift")
    let start = try #require(source.firstIndex { $0.hasPrefix(type) })
    let end = type.prefix { $0 == " " } + "}"
    let cases = source[start...].prefix { $0 != end }.compactMap { line in
      line.firstMatch(of: /^ *(?:indirect )?case (\w+)/).map { String($0.1) }
    }
    let page = try Listings().lines(of: "Docs/Contributors/HowItWorks.md")
    let rows = page.drop { !$0.hasPrefix("| \(head) |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let listed = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(cases.count > 4)
    #expect(listed.sorted() == cases.sorted())
  }
}
