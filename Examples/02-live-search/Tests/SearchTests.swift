// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import live_search

/// What the feature does, in virtual time and without a file.
struct SearchTests {
  @Test func `A search starts after a pause in typing`() async {
    let store = TestStore(initialState: Search.State(), reducer: Search { query in ended(after: [found(query)]) })
    store.send(.typed("s")) { $0 = .init(query: "s", phase: .waiting) }
    store.advance(by: .milliseconds(149))
    // If the first search had started, the test would have to receive `.started` here.
    store.send(.typed("w")) { $0 = .init(query: "sw", phase: .waiting) }
    store.advance(by: .milliseconds(149))
    store.advance(by: .milliseconds(1))
    await store.receive(.started) { $0.phase = .searching }
    await store.receive(.found(found("sw"))) {
      $0.results = .init(matches: [match("sw")], count: 1, searched: 1, matched: 1)
    }
    await store.receive(.finished) { $0.phase = .finished }
    await store.finish()
  }

  @Test func `Results are shown as they are found`() async {
    let (stream, search) = AsyncThrowingStream<Findings, any Error>.makeStream()
    let store = TestStore(initialState: Search.State(), reducer: Search(pause: .zero) { _ in stream })
    store.send(.queryChanged("swift")) { $0 = .init(query: "swift", phase: .waiting) }
    await store.receive(.started) { $0.phase = .searching }

    search.yield(found("a swift"))
    await store.receive(.found(found("a swift"))) {
      $0.results = .init(matches: [match("a swift")], count: 1, searched: 1, matched: 1)
    }
    search.yield(Findings(searched: 3, skipped: ["f: Permission denied", "g: Permission denied"]))
    await store.receive(.found(Findings(searched: 3, skipped: ["f: Permission denied", "g: Permission denied"]))) {
      $0.results.searched = 4
      $0.results.skipped = 2
      $0.results.lastSkipped = "g: Permission denied"
    }
    search.yield(found("two swifts"))
    await store.receive(.found(found("two swifts"))) {
      $0.results.matches = [match("a swift"), match("two swifts")]
      $0.results.count = 2
      $0.results.searched = 5
      $0.results.matched = 2
    }
    search.finish()
    await store.receive(.finished) { $0.phase = .finished }
    await store.finish()
  }

  @Test func `A new query ends the search before it and removes its results (E1)`() async {
    let (old, search) = AsyncThrowingStream<Findings, any Error>.makeStream()
    let reducer = Search(pause: .zero) { query in query == "old" ? old : ended(after: [found(query)]) }
    let store = TestStore(initialState: Search.State(), reducer: reducer)
    store.send(.queryChanged("old")) { $0 = .init(query: "old", phase: .waiting) }
    await store.receive(.started) { $0.phase = .searching }
    search.yield(found("old"))
    await store.receive(.found(found("old"))) {
      $0.results = .init(matches: [match("old")], count: 1, searched: 1, matched: 1)
    }

    store.send(.queryChanged("new")) { $0 = .init(query: "new", phase: .waiting) }
    await store.receive(.started) { $0.phase = .searching }
    search.yield(found("old, too late"))
    await store.receive(.found(found("new"))) {
      $0.results = .init(matches: [match("new")], count: 1, searched: 1, matched: 1)
    }
    await store.receive(.finished) { $0.phase = .finished }
    await store.finish()
  }

  @Test func `A search that ignores its cancellation has no effect any more (E1)`() async {
    // Both searches wait, cancelled or not, until the gate opens; then each reports what it has found.
    let (gate, opening) = AsyncStream<Never>.makeStream()
    let opened = Task.detached { for await _ in gate {} }
    let reducer = Search(pause: .zero) { query in Stubborn(opened: opened, findings: found(query)) }
    let store = TestStore(initialState: Search.State(), reducer: reducer)
    store.send(.queryChanged("old")) { $0 = .init(query: "old", phase: .waiting) }
    await store.receive(.started) { $0.phase = .searching }
    store.send(.queryChanged("new")) { $0 = .init(query: "new", phase: .waiting) }
    await store.receive(.started) { $0.phase = .searching }
    opening.finish()
    await store.receive(.found(found("new"))) {
      $0.results = .init(matches: [match("new")], count: 1, searched: 1, matched: 1)
    }
    await store.receive(.finished) { $0.phase = .finished }
    await store.finish()
  }

  private struct Stubborn: AsyncSequence, AsyncIteratorProtocol {
    let opened: Task<Void, Never>
    var findings: Findings?

    func makeAsyncIterator() -> Stubborn { self }

    mutating func next(isolation: isolated (any Actor)?) async throws -> Findings? {
      await opened.value
      defer { findings = nil }
      return findings
    }
  }

  @Test func `Only the first lines are kept, all are counted`() async {
    let many = Findings(matches: (1...3).map { Match(file: "f", line: $0, text: "s") }, searched: 1, matched: 1)
    let store = TestStore(
      initialState: Search.State(limit: 4), reducer: Search(pause: .zero) { _ in ended(after: [many, many, many]) })
    store.send(.queryChanged("s")) { $0 = .init(query: "s", phase: .waiting, limit: 4) }
    await store.receive(.started) { $0.phase = .searching }
    await store.receive(.found(many)) {
      $0.results = .init(matches: many.matches, count: 3, searched: 1, matched: 1)
    }
    await store.receive(.found(many)) {
      $0.results = .init(matches: many.matches + many.matches.prefix(1), count: 6, searched: 2, matched: 2)
    }
    await store.receive(.found(many)) {
      $0.results.count = 9
      $0.results.searched = 3
      $0.results.matched = 3
    }
    await store.receive(.finished) { $0.phase = .finished }
    await store.finish()

    let rows = Screen(directory: ".", size: .init(columns: 40, rows: 9)).rows(for: store.state)
    #expect(rows[1...5] == ["f:1: s", "f:2: s", "f:3: s", "f:1: s", "… 5 more"])
  }

  @Test func `A search that fails shows why, and keeps what it had found`() async {
    let error = PosixError("Sources", code: 2)
    let reducer = Search(pause: .zero) { query in ended(after: [found(query)], by: error) }
    let store = TestStore(initialState: Search.State(), reducer: reducer)
    store.send(.queryChanged("s")) { $0 = .init(query: "s", phase: .waiting) }
    await store.receive(.started) { $0.phase = .searching }
    await store.receive(.found(found("s"))) {
      $0.results = .init(matches: [match("s")], count: 1, searched: 1, matched: 1)
    }
    await store.receive(.failed("Sources: No such file or directory")) {
      $0.phase = .failed("Sources: No such file or directory")
    }
    await store.finish()
  }

  @Test(arguments: [Search.Action.cleared, .erased, .queryChanged("")])
  func `Without a query nothing is searched (E3)`(action: Search.Action) async {
    let (endless, search) = AsyncThrowingStream<Findings, any Error>.makeStream()
    let store = TestStore(initialState: Search.State(), reducer: Search { _ in endless })
    // Before it has started.
    store.send(.typed("s")) { $0 = .init(query: "s", phase: .waiting) }
    store.send(action) { $0 = .init() }
    store.advance(by: .seconds(1))
    // While it runs.
    store.send(.typed("s")) { $0 = .init(query: "s", phase: .waiting) }
    store.advance(by: .milliseconds(150))
    await store.receive(.started) { $0.phase = .searching }
    search.yield(found("s"))
    await store.receive(.found(found("s"))) {
      $0.results = .init(matches: [match("s")], count: 1, searched: 1, matched: 1)
    }
    store.send(action) { $0 = .init() }
    // When there is no search.
    store.send(action)
    await store.finish()
  }

  @Test func `Keys change the query, and each key starts a search for it`() {
    let search = Search { _ in ended(after: []) }
    var state = Search.State()
    let keys: [(Search.Action, query: String)] = [
      (.typed("s"), "s"), (.typed("é"), "sé"), (.typed("\u{301}"), "sé\u{301}"), (.erased, "s"),
      (.queryChanged("x"), "x"),
    ]
    for (action, query) in keys {
      let effect = search.reduce(into: &state, action: action)
      #expect(effect.runs == [EffectRun(id: "search", overlap: .restart, input: query)])
      #expect(state == Search.State(query: query, phase: .waiting))
    }
  }

  // MARK: - Findings

  private func match(_ text: String) -> Match {
    Match(file: "f", line: 1, text: text)
  }

  private func found(_ text: String) -> Findings {
    Findings(matches: [match(text)], searched: 1, matched: 1)
  }

  /// A search that has all its findings at once.
  private func ended(after findings: [Findings], by error: (any Error)? = nil) -> AsyncThrowingStream<
    Findings, any Error
  > {
    AsyncThrowingStream { search in
      for findings in findings { search.yield(findings) }
      search.finish(throwing: error)
    }
  }
}
