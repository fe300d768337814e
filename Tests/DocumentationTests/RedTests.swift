// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@Test(arguments: ["README.md", "Docs/Testing.md"])
func `A document shows what the test says when the time stands still`(document: String) async throws {
  let shown = try #require(try Listings().shown(in: document)["red"])
  let said = Mutex<[String]>([])
  await withKnownIssue {
    let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))
    store.send(.queryChanged("swift")) { $0.query = "swift" }
    await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
    await store.finish()
  } matching: { issue in
    said.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  // The README's feature stands in a file of its own, at the line its listing has in it.
  let place = #/DocumentationTests/SearchListing\.swift:\d+/#
  let test = #/RedTests\.swift:\d+/#
  let texts = said.withLock { $0 }.map {
    $0.replacing(place, with: "MyApp/Search.swift:14").replacing(test, with: "SearchTests.swift:8")
  }
  #expect(texts == [shown])
}
