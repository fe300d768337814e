// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Synchronization

/// Which work is active, by its name.
final class ActiveWork: Sendable {
  private let names = Mutex<[String: Int]>([:])

  var counts: [String: Int] { names.withLock { $0 } }

  func begins(_ name: String) { names.withLock { $0[name, default: 0] += 1 } }

  func ends(_ name: String) {
    names.withLock {
      $0[name, default: 0] -= 1
      if $0[name] == 0 { $0[name] = nil }
    }
  }
}

/// Works as long as it is shown, and counts minutes.
struct Worker: Reducer {
  struct State: Hashable, Sendable, Identifiable {
    var name: String
    var minutes = 0
    var id: String { name }
  }
  enum Action: Equatable, Sendable { case appeared, minutePassed }

  let active: ActiveWork

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .minutePassed: state.minutes += 1
    case .appeared:
      return .run(id: "work", overlap: .drop, input: state.name) { [active] name, send in
        active.begins(name)
        defer { active.ends(name) }
        while true {
          try await send.sleep(for: .seconds(60))
          send(.minutePassed)
        }
      }
    }
    return .none
  }
}

/// A sheet, which may show another one above it.
struct Sheet: Reducer {
  struct State: Equatable, Sendable, Identifiable {
    var worker: Worker.State
    var note: Worker.State?
    var id: String { worker.id }
  }
  enum Action: Equatable, Sendable { case worker(Worker.Action), note(Worker.Action), noteOpened(String), noteClosed }

  static let worker = CasePath(Action.worker)
  static let note = CasePath(Action.note)

  let worker: Worker

  @ReducerBuilder<State, Action> private var whole: some Reducer<State, Action> {
    Scope(\State.worker, action: Self.worker) { worker }
    Reduce<State, Action> { state, action in
      switch action {
      case .noteOpened(let name): state.note = Worker.State(name: name)
      case .noteClosed: state.note = nil
      case .worker, .note: break
      }
      return .none
    }
    .ifLet(\.note, action: Self.note) { worker }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A child of each kind, for views of each kind: rows that are searched, a form, a refresh, a stack of pages, a sheet over a
/// sheet, and a question that may be replaced by another one.
struct Desk: Reducer {
  struct Question: Equatable, Sendable, Identifiable { var id: String }
  enum Answer: Equatable, Sendable { case yes, other }

  struct State: Equatable, Sendable {
    var query = ""
    var name = ""
    var isPublic = false
    var refreshes = 0
    var rows: [String: Worker.State] = [:]
    var pages = ChildStack<Worker.State>()
    var sheet: Sheet.State?
    var question: Question?
    var deleted: [String] = []

    var found: [String] { rows.keys.filter { query.isEmpty || $0.contains(query) }.sorted() }
  }

  enum Action: FieldAction, Equatable {
    case field(FieldChange<State>), searched(String), refresh, refreshed
    case add(String), remove(String), row(String, Worker.Action)
    case pages(StackAction<Worker.State, Worker.Action>)
    case open(String), sheet(Sheet.Action), sheetClosed
    case ask(String), question(Answer), questionClosed
  }

  static let row = CasePath<Action, (String, Worker.Action)>(
    embed: { .row($0.0, $0.1) }, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let pages = CasePath(Action.pages)
  static let sheet = CasePath(Action.sheet)
  static let question = CasePath(Action.question)

  let worker: Worker

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .field(let change): change.apply(to: &state)
      case .searched(let query): state.query = query
      case .refresh:
        return .run(id: "refresh", overlap: .restart) { send in
          try await send.sleep(for: .seconds(1))
          send(.refreshed)
        }
      case .refreshed: state.refreshes += 1
      case .add(let id): state.rows[id] = Worker.State(name: id)
      case .remove(let id): state.rows[id] = nil
      case .open(let name): state.sheet = Sheet.State(worker: Worker.State(name: name))
      case .sheetClosed: state.sheet = nil
      case .ask(let id): state.question = Question(id: id)
      case .question(.yes):
        if let question = state.question { state.deleted.append(question.id) }
        state.question = nil
      case .question(.other): state.question = state.question.map { Question(id: "\($0.id)+") }
      case .questionClosed: state.question = nil
      case .row, .pages, .sheet: break
      }
      return .none
    }
    .forEach(\.rows, action: Self.row) { worker }
    .stack(\.pages, action: Self.pages) { worker }
    .ifLet(\.sheet, action: Self.sheet) { Sheet(worker: worker) }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}
