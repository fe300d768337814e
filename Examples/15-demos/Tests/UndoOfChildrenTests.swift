// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import demos

/// A feature that loads a text when it is shown.
private struct Page: Reducer {
  struct State: Equatable, Sendable {
    var title: String
    var text = ""
  }
  enum Action: Equatable, Sendable { case load, loaded(String) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .load:
      return .run(id: "load", overlap: .restart, input: state.title) { title, send in
        try await send.sleep(for: .seconds(1))
        send(.loaded("text of \(title)"))
      }
    case .loaded(let text):
      state.text = text
      return .none
    }
  }
}

/// Pages in a stack, and one beside it that may be open.
private struct Book: Reducer {
  struct State: Equatable, Sendable {
    var pages = ChildStack<Page.State>()
    var note: Page.State?

    /// Whether each text belongs to the page that shows it.
    var isRight: Bool {
      (pages.elements + [note].compactMap { $0 }).allSatisfy { ["", "text of \($0.title)"].contains($0.text) }
    }
  }
  enum Action: Equatable, Sendable {
    case pages(StackAction<Page.State, Page.Action>)
    case noteOpened(String)
    case note(Page.Action)
  }

  static let pages = CasePath(Action.pages)
  static let note = CasePath(Action.note)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Reduce<State, Action> { state, action in
      if case .noteOpened(let title) = action { state.note = Page.State(title: title) }
      return .none
    }
    .stack(\.pages, action: Self.pages) { Page() }
    .ifLet(\.note, action: Self.note) { Page() }
    .reduce(into: &state, action: action)
  }

  var withUndo: Undo<Book> {
    Undo(feature: self) { action in
      switch action {
      case .pages(.element), .note: .none
      default: .single
      }
    } keep: { _, _ in
    }
  }
}

/// An undo that removes a child ends the work of the child (rule M2), also if an id of a stack comes again.
@Suite struct UndoOfChildrenTests {
  private static let initialState = Undoable(present: Book.State())

  @Test func `A page that replaces an undone one gets no answer of it`() async {
    let store = TestStore(initialState: Self.initialState, reducer: Book().withUndo)
    store.exhaustivity = .off
    store.send(.edit(.pages(.push(Page.State(title: "a")))))
    store.send(.edit(.pages(.element(0, .load))))
    store.send(.undo)
    store.assertEffects { _ in }
    store.send(.edit(.pages(.push(Page.State(title: "b")))))
    store.advance(by: .seconds(1))
    await store.finish()
    #expect(store.state.present.pages.elements == [Page.State(title: "b")])
  }

  @Test func `A note that was undone has no work, and one that is opened again gets no answer of it`() async {
    let store = TestStore(initialState: Self.initialState, reducer: Book().withUndo)
    store.exhaustivity = .off
    store.send(.edit(.noteOpened("a")))
    store.send(.edit(.note(.load)))
    store.send(.undo)
    store.assertEffects { _ in }
    store.send(.edit(.noteOpened("b")))
    store.advance(by: .seconds(1))
    await store.finish()
    #expect(store.state.present.note == Page.State(title: "b"))
  }

  @Test func `The same at any moment`() async {
    let result = await explore(
      initialState: Self.initialState, reducer: Book().withUndo,
      sometimes: ["a loaded page": { $0.present.pages.elements.contains { $0.text == "text of b" } }]
    ) { script in
      script.send(.edit(.pages(.push(Page.State(title: "a")))))
      script.send(.edit(.pages(.element(0, .load))))
      script.send(.undo)
      script.send(.edit(.pages(.push(Page.State(title: "b")))))
      script.send(.edit(.pages(.element(1, .load))))
    } always: { state in
      state.present.isRight
    }
    result.expectComplete(.timers)
  }
}
