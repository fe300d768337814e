// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import TestSupport
import Testing

@Suite struct `A stack of children` {
  private func load(_ id: ChildStackID) -> EffectID {
    EffectID("load").scoped(by: EffectID(id).scoped(by: EffectID(\Book.State.pages)))
  }

  private func store(_ titles: String...) -> TestStore<Book> {
    TestStore(
      initialState: Book.State(pages: ChildStack(titles.map { Page.State(title: $0) })), reducer: Book()
    ).patient
  }

  @Test func `An element is changed by its id, and nil dismisses it with all above it (M8)`() {
    var pages = ChildStack(["a", "b", "c"].map { Page.State(title: $0) })
    pages[id: 1]?.title = "d"
    #expect(pages.elements.map(\.title) == ["a", "d", "c"])
    pages[id: 1] = Page.State(title: "e")
    #expect(pages.elements.map(\.title) == ["a", "e", "c"])
    #expect(pages.ids == [0, 1, 2])
    pages[id: 7]?.title = "f"
    pages[id: 7] = Page.State(title: "f")
    pages[id: 7] = nil
    #expect(pages.elements.map(\.title) == ["a", "e", "c"])
    pages[id: 1] = nil
    #expect(pages.ids == [0])
    #expect(pages.elements.map(\.title) == ["a"])
  }

  @Test func `Push, pop, pop to root, replace and set give new ids, and never one twice (M8)`() async {
    let store = store()
    store.send(.pages(.push(Page.State(title: "a")))) { $0.pages.push(Page.State(title: "a")) }
    store.send(.pages(.push(Page.State(title: "b")))) { $0.pages.push(Page.State(title: "b")) }
    #expect(store.state.pages.ids == [0, 1])
    store.send(.pages(.pop)) { $0.pages.pop() }
    store.send(.pages(.push(Page.State(title: "c")))) { $0.pages.push(Page.State(title: "c")) }
    #expect(store.state.pages.ids == [0, 2])
    store.send(.pages(.replace(Page.State(title: "d")))) { $0.pages.replace(with: Page.State(title: "d")) }
    #expect(store.state.pages.ids == [0, 3])
    #expect(store.state.pages.elements.map(\.title) == ["a", "d"])
    let link = ["a", "d", "e"].map { Page.State(title: $0) }
    store.send(.pages(.set(link))) { $0.pages.set(link) }
    #expect(store.state.pages.ids == [4, 5, 6])
    store.send(.pages(.dismiss(5))) { $0.pages.dismiss(5) }
    #expect(store.state.pages.ids == [4])
    store.send(.pages(.dismiss(5)))
    store.send(.pages(.popToRoot)) { $0.pages.popToRoot() }
    store.send(.pages(.pop))
    store.send(.pages(.replace(Page.State(title: "f")))) { $0.pages.replace(with: Page.State(title: "f")) }
    #expect(store.state.pages.ids == [7])
    #expect(store.state.pages.last == Page.State(title: "f"))
    await store.finish()
  }

  @Test func `Work of elements that are removed or replaced ends, and no other work (M2, M8)`() async {
    let store = store("a", "b", "c")
    for id in store.state.pages.ids { store.send(.pages(.element(id, .load))) }
    store.assertEffects { for id: ChildStackID in [0, 1, 2] { $0[load(id)] = EffectStatus(running: 1) } }
    // Replaced by an equal one: another child.
    store.send(.pages(.replace(Page.State(title: "c")))) { $0.pages.replace(with: Page.State(title: "c")) }
    store.assertEffects { for id: ChildStackID in [0, 1] { $0[load(id)] = EffectStatus(running: 1) } }
    // By the parent.
    store.send(.close) { $0.pages.pop() }
    store.send(.close) { $0.pages.pop() }
    store.assertEffects { $0[load(0)] = EffectStatus(running: 1) }
    store.advance(by: .seconds(1))
    await store.receive(.pages(.element(0, .loaded("text")))) { $0.pages[id: 0]?.text = "text" }
    await store.finish()
  }

  @Test func `An action for an element that was removed is reported and changes nothing (M3, M8)`() async {
    let store = store("a")
    store.send(.pages(.pop)) { $0.pages.pop() }
    let found = await failures { store.send(.pages(.element(0, .load))) }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("at App/Book.swift:7") == true)
    await store.finish()
  }

  @Test func `An element dismisses itself with one action, after the parent has seen it (M8)`() async {
    let store = store("a", "b", "c")
    store.send(.pages(.element(1, .save)))
    store.send(.pages(.element(2, .load)))
    store.send(.pages(.element(0, .load)))
    store.advance(by: .milliseconds(999))
    store.advance(by: .milliseconds(1))
    await store.receive(.pages(.element(1, .saved))) {
      $0.kept = ["b, saved"]
      $0.pages.dismiss(1)
    }
    store.assertEffects { $0[load(0)] = EffectStatus(running: 1) }
    await store.receive(.pages(.element(0, .loaded("text")))) { $0.pages.elements[0].text = "text" }
    // What it returns with the action that dismisses it never begins.
    store.send(.pages(.element(0, .doneLoading))) { $0.pages.popToRoot() }
    await store.finish()
  }

  @Test func `An element that the parent changes with its dismissal stays, with those above it (M8)`() {
    let changing = Reduce<Book.State, Book.Action> { state, action in
      if case .pages(.element(let id, .saved)) = action, let page = state.pages[id: id], page.text.isEmpty {
        state.pages[id: id]?.text = "Really?"
      }
      return .none
    }
    .stack(\.pages, action: Book.pages) { Page() }
    let store = TestStore(
      initialState: .init(pages: ChildStack([.init(title: "a"), .init(title: "b")])), reducer: changing)
    store.send(.pages(.element(0, .saved))) {
      $0.pages.elements[0].title = "a, saved"
      $0.pages.elements[0].text = "Really?"
    }
    store.send(.pages(.element(0, .saved))) { $0.pages.dismiss(0) }
  }

  @Test func `An optional child dismisses itself with one action, after the parent has seen it (M8)`() async {
    let store = TestStore(initialState: Book.State(note: Page.State(title: "n")), reducer: Book()).patient
    store.send(.note(.load))
    store.send(.note(.saved)) {
      $0.kept = ["n, saved"]
      $0.note = nil
    }
    await store.finish()
  }

  @Test func `A stack that is decoded has its ids and goes on counting, and a wrong one is refused (M8)`() throws {
    var stack = ChildStack([Page.State(title: "a"), Page.State(title: "b")])
    stack.replace(with: Page.State(title: "c"))
    let text = String(decoding: try JSONEncoder().encode(stack), as: UTF8.self)
    var restored = try JSONDecoder().decode(ChildStack<Page.State>.self, from: Data(text.utf8))
    #expect(restored == stack)
    #expect(restored.push(Page.State(title: "d")) == 3)
    for wrong in [
      text.replacing("\"generated\":3", with: "\"generated\":2"), text.replacing("\"number\":0", with: "\"number\":2"),
      text.replacing("\"number\":0", with: "\"number\":-1"),
      text.replacing("\"generated\":3", with: "\"generated\":\(Int.max)"),
    ] {
      #expect(wrong != text)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(ChildStack<Page.State>.self, from: Data(wrong.utf8))
      }
    }
  }

  @Test func `No order of a pop, a push and an answer reaches a page that was popped (M8)`() async {
    let result = await explore(
      initialState: Book.State(pages: ChildStack([Page.State(title: "a")])), reducer: Book(),
      requiring: [.nothingRunsAtTheEnd], sometimes: ["loaded": { $0.pages.last?.text == "text" }]
    ) { run in
      run.send(.pages(.element(0, .load)))
      run.send(.pages(.pop))
      run.send(.pages(.push(Page.State(title: "b"))))
    } always: { state in
      state.pages.elements.allSatisfy { $0.title == "a" || $0.text.isEmpty }
    }
    #expect("\(result)" == "complete: answers (6 states), timers (8 states), deliveries (15 states), steps (27 states)")
  }
}
