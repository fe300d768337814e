// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private struct Line: Reducer {
  struct State: Equatable, Sendable { var title = "" }
  func reduce(into state: inout State, action: Int) -> Effect<Int> { .none }
}

private struct Lines: Reducer {
  struct State: Equatable, Sendable {
    var rows: [Key: Line.State] = [:]
    var sheet: Line.State?
    var count = 0
    var double: Int { 2 * count }
  }
  /// Its comparisons are counted.
  struct Key: Hashable, Sendable {
    let number: Int
    let hashes: Tally
    static func == (left: Key, right: Key) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) {
      hashes.increment()
      hasher.combine(number)
    }
  }
  enum Action: Sendable { case row(Key, Int), sheet(Int), count, add(Key) }
  static let row = CasePath<Action, (Key, Int)>(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let sheet = CasePath<Action, Int>(
    embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let key): state.rows[key] = Line.State()
    case .count: state.count += 1
    case .row, .sheet: break
    }
    return .none
  }
}

@MainActor @Suite struct `Rows that do not exist` {
  private let app = ObservableStore(initialState: Lines.State(), reducer: Lines())
  private let hashes = Tally()

  private func key(_ number: Int) -> Lines.Key { Lines.Key(number: number, hashes: hashes) }
  private func lookUp(_ number: Int) -> ObservableStore<Line.State, Int>? {
    app.scope(\.rows, id: key(number), action: Lines.row)
  }

  @Test func `Lookups outside of any tracking keep nothing, and a send compares nothing for them (M5)`() {
    for number in 0..<1_000 { #expect(lookUp(number) == nil) }
    #expect(app.node.fields.count == 0)
    let before = hashes.value
    app.send(.count)
    #expect(hashes.value == before)
  }

  @Test func `Whether there is an optional child is kept only for readers that track it (M5)`() {
    #expect(app.scope(\.sheet, action: Lines.sheet) == nil)
    #expect(app[dynamicMember: \.double] == 0)
    #expect(app.node.fields.count == 0)
  }

  @Test func `Each tracked lookup is kept until its row has come, and notifies once (M5)`() {
    let told = Tally()
    for number in 0..<10 {
      withObservationTracking {
        _ = lookUp(number)
      } onChange: {
        told.increment()
      }
      _ = lookUp(number)
    }
    #expect(app.node.fields.count == 10)
    app.send(.count)
    #expect(told.value == 0)
    app.send(.add(key(3)))
    #expect(told.value == 1)
    #expect(app.node.fields.count == 9)
    app.send(.count)
    #expect(told.value == 1)
  }

  @Test func `A tracking that another read has ended keeps no lookup (M5)`() {
    let told = Tally()
    withObservationTracking {
      _ = (app.count, lookUp(1))
    } onChange: {
      told.increment()
    }
    #expect(app.node.fields.count == 2)
    app.send(.count)
    app.send(.count)
    #expect(told.value == 1)
    #expect(app.node.fields.count == 0)
  }
}
