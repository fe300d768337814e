// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Views.md; `CompositionTests.swift` compares the two.

import EffectTesting
import Observation
import Testing

@Suite struct `Observation, as its page shows it` {
  private let search = Search(find: { [$0] })

  @Test func `Values of a field are the newest, and every one on request (M6)`() async {
    let store = Store(initialState: Search.State(), reducer: search, clock: .immediate)
    var found: [[String]] = []
    let show: ([String]) -> Bool = { found.append($0); return $0.isEmpty }
    await store.send(.queryChanged("swift")).finish()
    // listing: values
    for await results in store.values(\.results) {                  // the current one, then the newest that differs
      if !show(results) { break }
    }
    for await results in store.values(\.results, buffering: .unbounded) {
      if !show(results) { break }                                   // all of them, however slow the reader is
    }
    for await change in store.changes {                             // the whole, with all that runs
      if change.effects.isEmpty { break }
    }
    // end
    #expect(found.filter { !$0.isEmpty } == [["swift"], ["swift"]])
  }

  @MainActor @Test func `Observers of a changed field are notified, and others are not (M5)`() async {
    let draw: @MainActor @Sendable () -> Void = {}
    let search = ObservableStore(initialState: Search.State(), reducer: search, clock: .immediate)
    let notes = Notes()
    // listing: observable
    withObservationTracking {
      _ = (search.query, search.isRunning("search"))                // what is read is tracked, and nothing else
    } onChange: {
      notes.add("changed")
      Task { @MainActor in draw() }
    }
    let sent = search.send(.queryChanged("swift"))                  // reduced when it returns
    // end
    #expect(notes.count == 1)
    #expect(search.query == "swift")
    #expect(search.isRunning("search"))
    await sent.finish()
  }

  @MainActor @Test func `A child is read and used as a store of its own (M5)`() async {
    // listing: child
    let desk = ObservableStore(
      initialState: Desk.State(tabs: .init(tabs: [1: .init()])), reducer: Desk(search: Search(find: { [$0] })))
    let tab = desk.scope(\.tabs, action: Desk.tabs).scope(\.tabs, id: 1, action: Tabs.tab)
    let sent = tab?.send(.queryChanged("swift"))
    let query = tab?.query                                          // "swift"
    let isSearching = tab?.isRunning("search")                      // this tab's, no other's
    let help = desk.scope(\.help, action: Desk.help)                // nil as long as none is shown; tracked, too
    // end
    #expect(query == "swift")
    #expect(isSearching == true)
    #expect(help == nil)
    await sent?.finish()
  }
}

private final class Notes: Sendable {
  private let texts = Lock<[String]>([])
  var count: Int { texts.withLock(\.count) }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
