// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import SwiftUI
import TestSupport
import Testing

/// The views of Docs/Views.md that are in ViewsUsage.swift.
@MainActor @Suite(.timeLimit(.minutes(1))) struct `Views, as the page about views shows them` {
  @Test func `A view that owns its store takes a dependency from the environment (E7)`() async {
    let asked = Recorder<String>()
    let find: @Sendable (String) async -> [String] = { query in
      asked.record(query)
      return []
    }
    let host = ViewHost(SearchScreen().environment(\.find, find))
    host.type("a", into: "Find")
    #expect(host.screen == "Find: a\n...")
    await asked.wait(for: "a")
    host.close()
    #expect(host.warnings == [])
  }

  @Test func `A view over the state of a parent shows nothing without it`() {
    let library = ObservableStore(initialState: Library.State(), reducer: Library())
    let host = ViewHost(ShareScreen(library: library))
    #expect(host.screen == "Library")
    library.send(.appeared)
    host.frame()
    #expect(host.screen.hasPrefix("Library\nGreeting: Hello"))
    #expect(host.takeEvaluations()["ShareScreen"] == 1)
    library.send(.shareClosed)
    host.frame()
    #expect(host.screen == "Library")
    #expect(host.warnings == [])
  }

  @Test func `The body that reads the ids is not evaluated when a row changes (M5)`() {
    var state = Library.State()
    for id in 0..<3 { state.rows[id] = Row.State(title: "Row \(id)") }
    let library = ObservableStore(initialState: state, reducer: Library())
    let host = ViewHost(ShelfView(library: library))
    #expect(host.takeEvaluations() == ["ShelfView": 1, "RowView": 3])
    library.send(.row(1, .rateTapped))
    host.frame()
    #expect(host.takeEvaluations() == ["RowView": 1])
    #expect(host.screen.contains("Row 1*"))
  }

  @Test func `Previews show a state, with and without work`() async {
    #expect(ViewHost(Previews.previews).screen.hasPrefix("Swift\n[Rate]\nFind: swift"))
    let host = ViewHost(RowView(row: .preview(Row.State(title: "Swift"))))
    host.tap("Rate")
    host.frame()
    #expect(host.screen == "Swift\n[Rate]")
  }

  @Test func `A field with the name of a member is read by its key path`() {
    let parcel = ObservableStore(initialState: Parcel.State(), reducer: Parcel(), clock: TestClock())
    let host = ViewHost(ParcelView(parcel: parcel))
    #expect(host.screen == "sent")
    let sent = parcel.send(.tracked)
    host.frame()
    #expect(host.screen == "sent\n...")
    sent.cancel()
  }

  @Test func `A control of a row that was removed sends nothing and does not trap (M3)`() {
    var state = Library.State()
    state.rows[1] = Row.State(title: "Row")
    let library = ObservableStore(initialState: state, reducer: Library())
    let title = library.scope(\.rows, id: 1, action: Library.row)?.binding(\.title) { _ in Row.Action.rateTapped }
    library.send(.rowRemoved(1))
    title?.wrappedValue = "typed too late"
    #expect(title?.wrappedValue == "Row")
    #expect(library.rows == [:])
  }
}
