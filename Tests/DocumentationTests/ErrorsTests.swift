// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Docs/Errors.md shows the code that was compiled and run, and its output.
@Suite struct `The page on errors` {
  private let source = "ErrorsListing.swift"

  @Test func `It shows the code that was compiled and run, and its output`() async throws {
    let said = Lock<[String]>([])
    await ErrorsListing.onFailure { text in said.withLock { $0.append(text) } }
    let reds = await Listings.failures(ErrorsListing.uncaught)
    #expect(reds.count == 1)
    let listings = Listings()
    let red = try listings.placed(
      listings.placed(try #require(reds.first), of: source, ["uncaught": "Marks.swift"]), of: source,
      ["uncaught-test": "MarksTests.swift"])
    try listings.check(
      "Docs/Errors.md", against: [source], texts: ["onFailure-text": said.withLock { $0 }.joined(), "red": red])
  }

  @Test func `A request throws what its answer throws, and tells errors that were handled (L3, L7)`() async throws {
    await #expect(throws: (any Error).self) { try await ErrorsListing.request() }
    let why = await #expect(throws: ErrorsListing.NotSaved.self) { try await ErrorsListing.outcomes() }?.why
    #expect(why?.hasPrefix(#"run("save""#) == true && why?.hasSuffix("): failed: Offline()") == true)
    #expect(try await ErrorsListing.handled() == .handled(Offline()))
  }

  @Test func `The table of kinds lists each kind of failure once, in their order (E5)`() throws {
    let rows = try Listings().rows(in: "Docs/Troubleshooting.md").filter { $0.count == 3 }.map { $0[0] }
    #expect(rows == ["kind"] + EffectFailure.Kind.allCases.map { "`\($0)`" })
  }

  @Test func `A CancellationError of a run that was not cancelled goes to its catch (E4, E5)`() async {
    let store = TestStore(
      initialState: Lookup.State(), reducer: Lookup(find: { _ in throw CancellationError() }))
    store.send(.asked("swift"))
    await store.receive(.failed("CancellationError()")) { $0.failure = "CancellationError()" }
    await store.finish()
  }

  @Test func `Three attempts with a limit each come before the catch (C5)`() async {
    let tries = Lock(0)
    let lookup = Lookup(find: { _ in
      tries.withLock { $0 += 1 }
      throw Offline()
    })
    let store = TestStore(
      initialState: Lookup.State(),
      reducer: Reduce<Lookup.State, Lookup.Action> { state, action in
        if case .asked(let query) = action { return lookup.patiently(query) }
        return lookup.reduce(into: &state, action: action)
      })
    store.send(.asked("swift"))
    store.advance(by: .seconds(3))
    await store.receive(.failed("Offline()")) { $0.failure = "Offline()" }
    await store.finish()
    #expect(tries.withLock { $0 } == 3)
  }
}
