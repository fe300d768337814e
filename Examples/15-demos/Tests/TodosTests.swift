// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import demos

@Suite struct TodosTests {
  private static let rows = [Todo.State(id: 1), Todo.State(id: 2), Todo.State(id: 3, isDone: true)]

  @Test func `Rows are added, typed into, deleted and cleared`() async {
    let store = TestStore(initialState: Todos.State(), reducer: Todos(newID: { 7 }))
    store.send(.addTapped) { $0.rows = [Todo.State(id: 7)] }
    store.send(.row(7, .textChanged("milk"))) { $0.rows[0].text = "milk" }
    store.send(.deleted([7])) { $0.rows = [] }
    await store.finish()
    let other = TestStore(initialState: Todos.State(rows: Self.rows), reducer: Todos(newID: { 7 }))
    other.send(.clearCompletedTapped) { $0.rows = [Todo.State(id: 1), Todo.State(id: 2)] }
    await other.finish()
  }

  @Test func `A second after the last tick, the rows that are done move down`() async {
    let store = TestStore(initialState: Todos.State(rows: Self.rows), reducer: Todos(newID: { 7 }))
    store.send(.row(1, .toggled)) { $0.rows[0].isDone = true }
    store.advance(by: .milliseconds(500))
    store.send(.row(3, .toggled)) { $0.rows[2].isDone = false }
    store.advance(by: .seconds(1))
    await store.receive(.sortCompleted) {
      $0.rows = [Todo.State(id: 2), Todo.State(id: 3), Todo.State(id: 1, isDone: true)]
    }
    await store.finish()
  }

  @Test func `A moved row keeps its place among those that are not done; a filter shows some`() async {
    let store = TestStore(initialState: Todos.State(rows: Self.rows), reducer: Todos(newID: { 7 }))
    store.send(.editModeChanged(true)) { $0.isEditing = true }
    store.send(.moved(1, before: 3)) { $0.rows = [Self.rows[1], Self.rows[0], Self.rows[2]] }
    store.advance(by: .milliseconds(100))
    await store.receive(.sortCompleted)
    store.send(.filterPicked(.completed)) { $0.filter = .completed }
    #expect(store.state.shown == [Self.rows[2]])
    store.send(.filterPicked(.active)) { $0.filter = .active }
    #expect(store.state.shown.map(\.id) == [2, 1])
    await store.finish()
  }
}
