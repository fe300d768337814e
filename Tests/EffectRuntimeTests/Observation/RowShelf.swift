// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport

@testable import EffectRuntime

/// A row that counts how often rows are compared.
struct ShelvedRow: Reducer {
  struct State: Equatable, Sendable, Identifiable {
    var id: Int
    var title = 0
    var weight = 0.0
    var box = Box()
    var double: Int { title * 2 }

    static let comparisons = TaskLocal<Tally?>(wrappedValue: nil)

    static func == (left: State, right: State) -> Bool {
      comparisons.get()?.increment()
      return left.id == right.id && left.title == right.title && left.weight == right.weight && left.box == right.box
    }
  }

  /// An object, whose content may change without a change of the row.
  final class Box: Equatable, Sendable {
    static func == (left: Box, right: Box) -> Bool { left === right }
  }

  enum Action: Sendable { case title(Int), weight(Double), id(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .title(let title): state.title = title
    case .weight(let weight): state.weight = weight
    case .id(let id): state.id = id
    }
    return .none
  }
}

/// Rows of two collections, which `forEach`, its parent and a reducer behind it change.
struct RowShelf: Reducer {
  struct Lists: Equatable, Sendable {
    var rows: [Int: ShelvedRow.State] = [:]
    var items: [ShelvedRow.State] = []
    subscript(row id: Int) -> ShelvedRow.State? { rows[id] }
    subscript(item id: Int) -> ShelvedRow.State? { items.first { $0.id == id } }
  }

  struct State: Equatable, Sendable {
    var lists = Lists()
    var saved: [Lists] = []
    var part: Lists?
    var other = 0
  }

  typealias Change = @Sendable (inout State) -> Void

  struct Action: Sendable {
    var row: (Int, ShelvedRow.Action)?
    var item: (Int, ShelvedRow.Action)?
    var inside: Change?
    var behind: Change?
  }

  static let row = CasePath<Action, (Int, ShelvedRow.Action)>(embed: { Action(row: $0) }, extract: { $0.row })
  static let item = CasePath<Action, (Int, ShelvedRow.Action)>(embed: { Action(item: $0) }, extract: { $0.item })
  static let part = CasePath<Action, Action>(embed: { $0 }, extract: { $0 })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let inner = Reduce<State, Action> { state, action in
      action.inside?(&state)
      return .none
    }
    let effect = inner.forEach(\.lists.rows, action: Self.row) { ShelvedRow() }
      .forEach(\.lists.items, action: Self.item) { ShelvedRow() }
      .reduce(into: &state, action: action)
    action.behind?(&state)
    return effect
  }

  static func filled(_ count: Int) -> State {
    State(
      lists: Lists(
        rows: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, ShelvedRow.State(id: $0)) }),
        items: (0..<count).map { ShelvedRow.State(id: $0) }))
  }
}

/// A random action of a shelf with the ids 0 to 5.
struct RandomRowShelf {
  var numbers: Numbers

  mutating func action() -> RowShelf.Action {
    var action = RowShelf.Action()
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<4: action.row = (id(), row())
    case 4..<7: action.item = (id(), row())
    case 7: action.inside = change()
    case 8: action.behind = change()
    default: (action.row, action.inside) = ((id(), row()), change())
    }
    return action
  }

  private mutating func id() -> Int { Int.random(in: 0..<6, using: &numbers) }

  private mutating func row() -> ShelvedRow.Action {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: .weight(.nan)
    case 1: .weight(1)
    case 2: .id(id())
    default: .title(Int.random(in: 0..<3, using: &numbers))
    }
  }

  private mutating func change() -> RowShelf.Change {
    let (id, other, title) = (id(), id(), Int.random(in: 0..<3, using: &numbers))
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0: return { $0.lists.rows[id] = ShelvedRow.State(id: id, title: title) }
    case 1: return { $0.lists.rows[id] = nil }
    case 2: return { $0.lists.rows[id]?.title = title }
    case 3: return { $0.lists.items.append(ShelvedRow.State(id: id, title: title)) }
    case 4: return { state in state.lists.items.removeAll { $0.id == id } }
    case 5: return { state in if let index = state.lists.items.indices.last { state.lists.items.swapAt(0, index) } }
    case 6: return { state in if !state.lists.items.isEmpty { state.lists.items[0].title = title } }
    case 7: return { $0.saved.append($0.lists) }
    case 8: return { state in if let lists = state.saved.popLast() { state.lists = lists } }
    case 9: return { $0.lists = RowShelf.filled(other).lists }
    case 10: return { state in state.lists.rows = state.lists.rows.mapValues { $0 } }
    default: return { $0.other += 1 }
    }
  }
}
