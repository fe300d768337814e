// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import SwiftUI
import TestSupport
import Testing

/// The views of Docs/Views.md that are in Usage.swift.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct `Views of a search, a form, a list and presentations, as the page about views shows them` {
  @Test func `Typed characters arrive one by one, and a status is drawn with the state`() async {
    let gate = Gate()
    let store = Store(
      initialState: Search.State(), reducer: Search(find: waiting(gate)), isolation: MainActor.shared, clock: .immediate
    )
    let host = ViewHost(SearchView(search: ObservableStore(store)))
    host.type("swift", into: "Find")
    #expect(host.screen == "Find: swift\n...")
    gate.open()
    for await change in store.changes where change.effects.isEmpty { break }
    host.frame()
    #expect(host.screen == "Find: swift\nswift")
    #expect(host.warnings == [])
  }

  private func waiting(_ gate: Gate) -> @Sendable (String) async -> [String] {
    { query in
      await gate.pass()
      return [query]
    }
  }

  @Test func `A form is changed by its reducer alone, which may refuse a value`() {
    let profile = ObservableStore(initialState: Profile.State(), reducer: Profile())
    let host = ViewHost(ProfileView(profile: profile))
    host.type("Annabel", into: "Name")
    host.tap("Public")
    host.tap("Save")
    host.frame()
    #expect(host.screen == "Name: Annab\nx Public\n[Save]")
    #expect(profile.saved == "Annab")
  }

  @Test func `A list builds the rows that it shows, and a sheet opens and closes`() async {
    var state = Library.State(order: Array(0..<1_000))
    for id in state.order { state.rows[id] = Row.State(title: "Row \(id)") }
    let library = ObservableStore(initialState: state, reducer: Library())
    let host = ViewHost(LibraryView(library: library))
    #expect(host.takeEvaluations()["RowView"] == 20)
    library.send(.row(3, .rateTapped))
    library.send(.row(500, .rateTapped))
    host.frame()
    #expect(host.takeEvaluations() == ["RowView": 1])
    library.send(.appeared)
    host.frame()
    #expect(host.screen.hasSuffix("--- sheet\nGreeting: Hello\n[Cancel]\n[Send]"))
    host.type("!", into: "Greeting")
    #expect(library.share?.greeting == "Hello!")
    host.tap("Cancel")
    #expect(library.share == nil)
    host.frame()
    #expect(host.screen.contains("--- sheet, leaving\nGreeting: Hello!"))
    host.frame()
    #expect(!host.screen.contains("sheet"))
    #expect(host.warnings == [])
  }

  private func makeNested() -> (ObservableStore<Share.State, Share.Action>, ViewHost) {
    let window = ObservableStore(initialState: Share.State(greeting: "Hi"), reducer: Share())
    return (window, ViewHost(Window(share: window)))
  }

  /// Makes a child store of the whole, as a parent would.
  struct Window: View {
    let share: ObservableStore<Share.State, Share.Action>
    var body: some View {
      NestedView(share: share.scope(\.self, action: CasePath(embed: { $0 }, extract: { $0 }), scope: "all"))
    }
  }

  @Test func `A page shows its content while it is popped`() {
    let (share, host) = makeNested()
    share.send(.helpTapped)
    host.frame()
    #expect(host.screen == "Hi\n--- page\nWrite a greeting.")
    host.dismissTop()
    host.frame()
    #expect(host.screen == "Hi\n--- page, leaving\nWrite a greeting.")
    host.frame()
    #expect(host.screen == "Hi")
  }

  @Test func `An alert disappears with its action, and is dismissed by another button`() {
    let (share, host) = makeNested()
    share.send(.sendTapped)
    host.frame()
    #expect(host.screen == "Hi\n--- alert\nPublish?\nEverybody can read it.\n[Publish]")
    host.tap("Publish")
    host.frame()
    host.frame()
    #expect(host.screen == "Hi")
    #expect(share.isPublished)
    share.send(.sendTapped)
    host.frame()
    host.dismissTop(times: 2)
    #expect(share.question == nil)
    #expect(host.warnings == [])
  }
}
