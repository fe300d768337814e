// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// A child: a row, a sheet, a case. It loads for one second, under an id that all children of its kind use.
struct Note: Reducer {
  struct State: Equatable {
    var text = ""
  }
  enum Action: Equatable, Sendable { case load, queue, loaded(String), done, doneLoading, cancelTapped }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .load, .doneLoading: return loading(.concurrent)
    case .queue: return loading(.enqueue)
    case .loaded(let text): state.text = text
    case .done: break
    case .cancelTapped: return .cancel(.everything)
    }
    return .none
  }

  private func loading(_ overlap: Overlap) -> Effect<Action> {
    .run(id: "load", overlap: overlap) { send in
      try await send.sleep(for: .seconds(1))
      send(.loaded("text"))
    }
  }
}

/// The same child with an id.
struct Row: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var note = Note.State()
  }

  func reduce(into state: inout State, action: Note.Action) -> Effect<Note.Action> {
    Note().reduce(into: &state.note, action: action)
  }
}

/// A parent of rows that removes them in every possible way.
struct Rows<Container: RowContainer & Equatable & Sendable>: Reducer
where Container.RowID == Int, Container.Row == Row.State {
  struct State: Equatable { var rows: Container }
  enum Action: Equatable, Sendable { case row(Int, Note.Action), remove(Int), replace(Int), nothing }

  var remove: (inout Container, Int) -> Void
  var insert: (inout Container, Row.State) -> Void

  static var row: CasePath<Action, (Int, Note.Action)> {
    CasePath(embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  }

  static func scope(_ id: Int) -> EffectID { EffectID(id).scoped(by: EffectID(\State.rows)) }

  var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .row(let id, .done), .row(let id, .doneLoading), .remove(let id): remove(&state.rows, id)
      case .replace(let id):
        remove(&state.rows, id)
        insert(&state.rows, Row.State(id: id + 100))
      case .row, .nothing: break
      }
      return .none
    }
    .forEach(\.rows, action: Self.row, fileID: "App/Rows.swift", line: 12) { Row() }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A parent of a sheet, with an id and without.
struct Screen: Reducer {
  struct State: Equatable {
    var sheet: Note.State?
    var detail: Row.State?
  }
  enum Action: Equatable, Sendable { case sheet(Note.Action), detail(Note.Action), show(Int?), refresh }

  static let sheet = CasePath(
    embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })
  static let detail = CasePath(
    embed: Action.detail, extract: { if case .detail(let action) = $0 { action } else { nil } })

  var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .sheet(.done), .sheet(.doneLoading): state.sheet = nil
      case .show(let id): state.detail = id.map { Row.State(id: $0) }
      case .refresh: return .run(id: "load", overlap: .restart) { send in try await send.sleep(for: .seconds(9)) }
      case .sheet, .detail: break
      }
      return .none
    }
    .ifLet(\.sheet, action: Self.sheet, fileID: "App/Screen.swift", line: 34) { Note() }
    .ifLet(\.detail, action: Self.detail, fileID: "App/Screen.swift", line: 35) { Row() }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}
