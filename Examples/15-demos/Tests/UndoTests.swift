// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import demos

@Suite struct UndoTests {
  private static let rows = [Todo.State(id: 1), Todo.State(id: 2), Todo.State(id: 3, isDone: true)]

  private func store(_ rows: [Todo.State] = rows, limit: Int = 50) -> TestStore<Undo<Todos>> {
    var reducer = Todos(newID: { 7 }).withUndo
    reducer.limit = limit
    return TestStore(initialState: Undoable(present: Todos.State(rows: rows)), reducer: reducer)
  }

  /// Makes a change as a step, in the closure of a test step.
  private static func step(
    _ state: inout Undoable<Todos.State>, group: Int? = nil, _ change: (inout Todos.State) -> Void
  ) {
    state.past.append(state.present)
    state.future = []
    state.group = group
    change(&state.present)
  }

  @Test func `What is typed into a row is one step back; the filter stays`() async {
    let store = store()
    store.send(.edit(.row(1, .textChanged("m")))) { Self.step(&$0, group: 1) { $0.rows[0].text = "m" } }
    store.send(.edit(.row(1, .textChanged("mi")))) { $0.present.rows[0].text = "mi" }
    store.send(.edit(.row(2, .textChanged("b")))) { Self.step(&$0, group: 2) { $0.rows[1].text = "b" } }
    store.send(.edit(.filterPicked(.active))) { $0.present.filter = .active }
    for expected in ["mi", ""] {
      store.send(.undo) { state in
        state.future.append(state.present)
        state.present = Todos.State(filter: .active, rows: state.past.removeLast().rows)
        state.group = nil
      }
      #expect(store.state.present.rows.map(\.text) == [expected, "", ""])
    }
    store.send(.undo)
    await store.finish()
  }

  @Test func `A redo returns to what was undone, until another step is made`() async {
    let store = store(limit: 1)
    store.send(.edit(.addTapped)) { Self.step(&$0) { $0.rows.insert(Todo.State(id: 7), at: 0) } }
    store.send(.edit(.deleted([7]))) { state in
      Self.step(&state) { $0.rows.remove(at: 0) }
      state.past.removeFirst()
    }
    store.send(.undo) { ($0.present, $0.past, $0.future) = ($0.past[0], [], [$0.present]) }
    store.send(.undo)
    store.send(.redo) { ($0.present, $0.past, $0.future) = ($0.future[0], [$0.present], []) }
    store.send(.redo)
    store.send(.undo) { ($0.present, $0.past, $0.future) = ($0.past[0], [], [$0.present]) }
    store.send(.edit(.deleted([9])))
    #expect(store.state.future.count == 1, "an action that changes nothing is no step")
    store.send(.edit(.deleted([1]))) { Self.step(&$0) { $0.rows.remove(at: 1) } }
    store.send(.redo)
    await store.finish()
  }

  @Test func `An undo cancels the work of the state that it replaces, and a redo starts nothing`() async {
    let store = store()
    store.send(.edit(.row(1, .toggled))) { Self.step(&$0) { $0.rows[0].isDone = true } }
    store.send(.undo) { ($0.present, $0.past, $0.future) = ($0.past[0], [], [$0.present]) }
    store.assertEffects { _ in }
    store.send(.redo) { ($0.present, $0.past, $0.future) = ($0.future[0], [$0.present], []) }
    store.assertEffects { _ in }
    store.advance(by: .seconds(1))
    await store.finish()  // no row moves: a redo does not start the wait again
  }

  @Test func `Sorting and undo at any moment lose no row and double none`() async {
    let result = await explore(
      initialState: Undoable(present: Todos.State(rows: Self.rows)), reducer: Todos(newID: { 7 }).withUndo,
      requiring: [.nothingRunsAtTheEnd]
    ) { script in
      script.send(.edit(.row(1, .toggled)))
      script.send(.edit(.moved(2, before: nil)))
      script.send(.undo)
    } always: { state in
      state.present.rows.map(\.id).sorted() == [1, 2, 3]
    }
    result.expectComplete(.steps)
  }
}
