// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Testing

@Suite("Typical mistakes") struct MistakesTests {
  private static let pages = ["Docs/Troubleshooting.md", "Tests/Failures.md"]
  private static let sources = ["MistakesListing", "NewDraftListing"].map { "Tests/DocumentationTests/\($0).swift" }

  /// The listings of both pages.
  private static func shown() throws -> [String: String] {
    try pages.reduce(into: [:]) { all, page in
      all.merge(try Listings().shown(in: page)) { first, _ in first }
    }
  }

  @Test(arguments: MistakesListing.all)
  func `Each mistake is one failure with the text on the page, and the fixed test is green`(
    mistake: MistakesListing.Mistake
  ) async throws {
    let texts = await reportedFailures { await mistake.wrong() }
    if let folder = ProcessInfo.processInfo.environment["EFFECTS_MISTAKES"] {
      try texts.joined(separator: "\n\n").write(toFile: "\(folder)/\(mistake.name)", atomically: true, encoding: .utf8)
    }
    #expect(texts == [try Self.shown()["\(mistake.name)-text"] ?? ""])
    #expect(await reportedFailures { await mistake.right() } == [])
  }

  @Test func `The pages show the code that was compiled and run`() throws {
    let listings = Listings()
    let shown = try Self.shown()
    let compiled = try Self.sources.reduce(into: [:]) { all, source in
      all.merge(try listings.compiled(in: source)) { _, new in new }
    }
    for (name, code) in compiled { #expect(shown[name] == code, "\(name)") }
    let texts = MistakesListing.all.map { "\($0.name)-text" }
    #expect(shown.keys.sorted() == (compiled.keys + texts).sorted())
  }

  @Test(arguments: MistakesListing.all)
  func `Code that a failure proposes is the code that makes the test green`(mistake: MistakesListing.Mistake) throws {
    let shown = try Self.shown()
    let text = try #require(shown["\(mistake.name)-text"])
    let fixed = try #require(shown["\(mistake.name)-right"])
    let proposed = text.matches(
      of: /`?((?:\{ \$0\.|await store\.receive|store\.advance|await store\.finish|\.cancel\(id)[^`\n…]*)`?/
    )
    .map { String($0.1).trimmingCharacters(in: .whitespaces) }
    #expect(proposed.isEmpty || proposed.contains { fixed.contains($0) }, "\(proposed)")
  }

  @Test func `A child with a new state and the old id is given the answer that the old state asked for (M2)`() async {
    let hint = Mock<Void, String>()
    let store = TestStore(
      initialState: NewDraft.State(), reducer: NewDraft.letter(NewDraft.wrong, hint: hint.callAsFunction))
    store.send(.draft(.opened))
    store.send(.newTapped)
    hint.answer("for the old draft")
    await store.receive(.draft(.hinted("for the old draft"))) { $0.draft?.hint = "for the old draft" }
    await store.finish()
  }

  @Test func `A child with a new id is given no such answer (M2)`() async {
    let hint = Mock<Void, String>()
    let store = TestStore(
      initialState: NewDraft.State(), reducer: NewDraft.letter(NewDraft.right, hint: hint.callAsFunction))
    store.send(.draft(.opened))
    store.send(.newTapped) { $0.draft = .init(id: 2) }
    #expect(hint.pending.isEmpty)
    await store.finish()
  }
}
