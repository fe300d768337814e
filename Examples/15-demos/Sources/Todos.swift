// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// One row of the list.
struct Todo: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var text = ""
    var isDone = false
  }

  enum Action: Equatable, Sendable { case toggled, textChanged(String) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .toggled: state.isDone.toggle()
    case .textChanged(let text): state.text = text
    }
    return .none
  }
}

/// Demo 2, to-dos: rows with a filter. A second after the last row was ticked, the rows that are done move down. Undo is in
/// ``Todos/withUndo``.
struct Todos: Reducer {
  enum Filter: Equatable, Sendable { case all, active, completed }

  struct State: Equatable, Sendable {
    var filter = Filter.all
    var isEditing = false
    var rows: [Todo.State] = []

    var shown: [Todo.State] {
      rows.filter { filter == .all || $0.isDone == (filter == .completed) }
    }
  }

  enum Action: Equatable, Sendable {
    case addTapped, clearCompletedTapped
    case deleted([Todo.State.ID]), moved(Todo.State.ID, before: Todo.State.ID?)
    case filterPicked(Filter), editModeChanged(Bool)
    case sortCompleted
    case row(Todo.State.ID, Todo.Action)
  }

  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })

  var newID: @Sendable () -> Int

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { [newID] state, action in
      switch action {
      case .addTapped: state.rows.insert(Todo.State(id: newID()), at: 0)
      case .clearCompletedTapped: state.rows.removeAll(where: \.isDone)
      case .deleted(let ids): state.rows.removeAll { ids.contains($0.id) }
      case .moved(let id, let other):
        guard let index = state.rows.firstIndex(where: { $0.id == id }) else { break }
        let row = state.rows.remove(at: index)
        state.rows.insert(row, at: state.rows.firstIndex { $0.id == other } ?? state.rows.endIndex)
        return .send(.sortCompleted).cancellable(id: "sort", overlap: .restart).delay(for: .milliseconds(100))
      case .filterPicked(let filter): state.filter = filter
      case .editModeChanged(let isEditing): state.isEditing = isEditing
      case .sortCompleted: state.rows = state.rows.filter { !$0.isDone } + state.rows.filter(\.isDone)
      case .row(_, .toggled):
        return .send(.sortCompleted).cancellable(id: "sort", overlap: .restart).debounce(for: .seconds(1))
      case .row: break
      }
      return .none
    }
    .forEach(\.rows, action: Self.row) { Todo() }
  }

  /// What is typed into one row is one step. The filter is no step, and undo does not change it.
  var withUndo: Undo<Todos> {
    Undo(feature: self) { action in
      switch action {
      case .row(let id, .textChanged): .group(id)
      case .filterPicked, .editModeChanged, .sortCompleted: .none
      default: .single
      }
    } keep: { restored, present in
      (restored.filter, restored.isEditing) = (present.filter, present.isEditing)
    }
  }
}
