// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: two to-dos, one ticked, and two steps back. The other two demos need a screen; their tests show them.
@main
enum Main {
  static func main() async {
    let store = Store(
      initialState: Undoable(present: Todos.State(rows: [Todo.State(id: 1), Todo.State(id: 2)])),
      reducer: Todos(newID: { 3 }).withUndo)
    func show(_ what: String) async {
      let rows = await store.state.present.shown.map { "[\($0.isDone ? "x" : " ")] \($0.text.isEmpty ? "-" : $0.text)" }
      print("\(what):", rows.joined(separator: ", "))
    }
    store.send(.edit(.row(1, .textChanged("milk"))))
    await store.send(.edit(.row(2, .textChanged("bread")))).finish()
    await show("typed")
    await store.send(.edit(.row(1, .toggled))).finish()
    await show("ticked, and sorted a second later")
    await store.send(.undo).finish()
    await show("undone")
    await store.send(.undo).finish()
    await show("undone")
  }
}
