// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// `printChanges` on stores at work.
@Suite struct PrintChangesTests {
  private struct Search: Reducer {
    struct State { var query = ""; var results: [String] = []; var isShared = Shared() }
    enum Action: Sendable { case typed(String), found(String), follow }

    /// Not equatable, and never changed.
    final class Shared {}

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .typed(let query):
        state.query = query
        return .run(id: "search", overlap: .restart, input: query, fileID: "App/Search.swift", line: 7) { query, send in
          send(.found(query.uppercased()))
        }
      case .found(let result):
        state.results.append(result)
        return .send(.follow)
      case .follow:
        return .none
      }
    }
  }

  private static let expected = [
    """
    .typed("s") sent at App/View.swift:3
      query:
        - ""
        + "s"
    """,
    #"  run 1 starts: run("search", input: "s", overlap: restart) at App/Search.swift:7"#,
    """
    .found("S") from run 1 ("search")
      results[0]:
        + "S"
    """,
    ".follow as a follow-up",
    #"run 1 ("search") finished"#,
  ]

  /// Without the times.
  private func untimed(_ texts: [String]) -> [String] {
    texts.map { $0.contains(" s  ") ? String($0.drop { $0 != "s" }.dropFirst(3)) : $0 }
  }

  @Test func `A store prints each action, its change, and its runs`() async {
    let texts = Recorder<String>()
    let store = Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
    store.printChanges { texts.record($0) }
    await store.send(.typed("s"), fileID: "App/View.swift", line: 3).finish()
    #expect(untimed(texts.events) == Self.expected)
  }

  @Test func `A part of the state, given by its key path, leaves out what does not change it`() async {
    let texts = Recorder<String>()
    let store = Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
    store.printChanges(of: \.results) { texts.record($0) }
    await store.send(.typed("s")).finish()
    await store.send(.typed("t")).finish()
    #expect(
      untimed(texts.events) == [
        ".found(\"S\") from run 1 (\"search\")\n  [0]:\n    + \"S\"",
        ".found(\"T\") from run 2 (\"search\")\n  [1]:\n    + \"T\"",
      ])
  }

  @Test func `The first change is compared with the state at its start, whatever happened before`() async {
    let texts = Recorder<String>()
    let store = Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
    await store.send(.typed("before")).finish()
    store.printChanges(to: { texts.record($0) }, where: { if case .typed = $0 { true } else { false } })
    await store.send(.typed("after"), fileID: "App/View.swift", line: 3).finish()
    #expect(
      untimed(texts.events).first == """
        .typed("after") sent at App/View.swift:3
          query:
            - "before"
            + "after"
        """)
  }

  /// The store may take its messages while the listener is added on another thread.
  @Test func `The first action after that is reported with its line (V1)`() async {
    for _ in 0..<1_000 {
      let texts = Recorder<String>()
      let store = Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
      await store.send(.typed("before")).finish()
      store.printChanges(to: { texts.record($0) }, where: { if case .typed = $0 { true } else { false } })
      await store.send(.typed("after"), fileID: "App/View.swift", line: 3).finish()
      let hasLine = texts.events.first?.contains("sent at App/View.swift:3") == true
      #expect(hasLine, "\(texts.events)")
      if !hasLine { return }
    }
  }

  @Test func `It ends when it is cancelled, and listens no more`() async {
    let texts = Recorder<String>()
    let store = Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
    let printing = store.printChanges(ids: ["search"]) { texts.record($0) }
    await store.send(.typed("s")).finish()
    printing.cancel()
    printing.cancel()
    #expect(store.hub.listeners.isEmpty)
    let count = texts.events.count
    await store.send(.typed("t")).finish()
    #expect(count == 3)
    #expect(texts.events.count == count)
  }

  @Test func `A closure that sends to the store is answered in its turn`() async {
    let texts = Recorder<String>()
    let store = Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
    store.printChanges { [weak store] text in
      texts.record(text)
      if text.contains("finished") { store?.send(.follow, fileID: "App/View.swift", line: 4) }
    }
    await store.send(.typed("s"), fileID: "App/View.swift", line: 3).finish()
    _ = await store.effects
    #expect(untimed(texts.events) == Self.expected + [".follow sent at App/View.swift:4"])
  }
}
