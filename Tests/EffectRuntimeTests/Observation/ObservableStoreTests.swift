// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Observation
import TestSupport
import Testing

private struct Form: Reducer {
  struct State: Equatable {
    var name = ""
    var age = 0
  }
  enum Action: Sendable { case named(String), aged, agedTwice }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .named(let name):
      state.name = name
      return .none
    case .aged:
      state.age += 1
      return .none
    case .agedTwice:
      return .merge(.send(.aged), .send(.aged))
    }
  }
}

@MainActor struct `Observable store` {
  /// Counts how often a field notified; each `track()` tracks it again.
  @MainActor private final class Watch<Value> {
    private(set) var count = 0
    private let read: @MainActor () -> Value

    init(_ read: @escaping @MainActor () -> Value) {
      self.read = read
    }

    func track() {
      withObservationTracking {
        _ = read()
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.count += 1 }
      }
    }
  }

  @Test func `Uncaught errors reach its handler (E5)`() async {
    struct Broken: Error {}
    let failures = Recorder<String>()
    let store = ObservableStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, _ in .run(id: "work", overlap: .concurrent) { _ in throw Broken() } },
      onFailure: { failures.record("\($0.run): \($0.error)") })
    await store.send(1).finish()
    #expect(failures.events == [#"run("work"): Broken()"#])
  }

  @Test func `A send is reduced, with all it causes, when it returns (L1)`() {
    let form = ObservableStore(initialState: .init(), reducer: Form())
    form.send(.named("Ada"))
    #expect(form.name == "Ada")
    form.send(.agedTwice)
    #expect(form.age == 2)
  }

  @Test func `A field that was read notifies when it changes, and only then (M5)`() {
    let form = ObservableStore(initialState: .init(), reducer: Form())
    let watch = Watch { form.name }
    watch.track()
    form.send(.aged)
    form.send(.named(""))
    #expect(watch.count == 0)
    form.send(.named("Ada"))
    #expect(watch.count == 1)
    form.send(.named("Eve"))
    #expect(watch.count == 1, "tracking is for one change")
    watch.track()
    form.send(.named("Ada"))
    #expect(watch.count == 2)
  }

  @Test func `A field that holds an object notifies although the object equals itself (M5)`() {
    final class Document: Equatable {
      var title = "a"
      static func == (left: Document, right: Document) -> Bool { left.title == right.title }
    }
    struct Editor { var document = Document() }
    let store = ObservableStore(
      initialState: Editor(),
      reducer: Reduce<Editor, String> { editor, title in
        editor.document.title = title
        return .none
      })
    let watch = Watch { store.document.title }
    watch.track()
    store.send("b")
    #expect(watch.count == 1)
  }

  @Test func `A turn notifies once`() {
    let form = ObservableStore(initialState: .init(), reducer: Form())
    let watch = Watch { form.age }
    watch.track()
    form.send(.agedTwice)
    #expect(watch.count == 1)
  }

  @Test func `What was sent from elsewhere is reduced before an inline send (T2)`() async {
    let store = Store(initialState: .init(), reducer: Form(), isolation: MainActor.shared)
    let form = ObservableStore(store)
    _ = await Task.detached { store.send(.named("Ada")) }.value
    form.send(.aged)
    #expect(form.name == "Ada")
  }

  @Test func `The store does not keep an observable store that was released`() {
    let store = Store(initialState: .init(), reducer: Form(), isolation: MainActor.shared)
    weak var gone: ObservableStore<Form.State, Form.Action>?
    do {
      let form = ObservableStore(store)
      _ = form.name
      gone = form
    }
    #expect(gone == nil)
    store.send(.aged)
  }

  /// A computed field that makes sense only while something is selected.
  private struct Rows: Equatable {
    var rows = [1, 2, 3]
    var selected: Int? = 0
    var current: Int { rows[selected!] }
  }

  @Test func `A computed field is evaluated by its readers alone`() {
    let rows = ObservableStore(
      initialState: Rows(),
      reducer: Reduce<Rows, Int?> { state, selected in
        state.selected = selected
        return .none
      })
    let watch = Watch { rows.selected == nil ? nil : rows.current }
    watch.track()
    rows.send(1)
    #expect(watch.count == 1)
    watch.track()
    rows.send(nil)
    #expect(watch.count == 2)
  }
}
