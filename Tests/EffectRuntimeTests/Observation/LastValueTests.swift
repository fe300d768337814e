// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private struct Sheet: Reducer {
  struct State: Equatable, Sendable {
    var count = 1
    var items = [1]
    var inner = Inner()
    var label = Label()
    static func == (left: State, right: State) -> Bool { left.count == right.count && left.items == right.items }
  }
  /// Not to be compared.
  struct Label: Sendable { var number = 1 }
  struct Inner: Equatable, Sendable { var depth = 1 }
  func reduce(into state: inout State, action: Int) -> Effect<Int> { .none }
}

private struct Screen: Reducer {
  struct State: Equatable, Sendable {
    var sheet: Sheet.State? = Sheet.State()
    var others = 0
  }
  enum Action: Sendable { case sheet(Int), change(@Sendable (inout State) -> Void) }
  static let sheet = CasePath<Action, Int>(
    embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })
  static let inner = CasePath<Int, Int>(embed: { $0 }, extract: { $0 })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .change(let change) = action { change(&state) }
    return .none
  }
}

@MainActor @Suite struct `The last value of a removed child` {
  private let app = ObservableStore(initialState: Screen.State(), reducer: Screen())
  private func change(_ change: @escaping @Sendable (inout Screen.State) -> Void) { app.send(.change(change)) }

  @Test func `A field that was read once is shown as it was last, not as it changed first (M5)`() throws {
    let sheet = try #require(app.scope(\.sheet, action: Screen.sheet))
    #expect(sheet.count == 1)
    for _ in 0..<3 { change { $0.sheet?.count += 1 } }
    change { $0.sheet = nil }
    #expect(sheet.count == 4)
  }

  @Test func `Tracked or not, read through any store of the child (M5)`() throws {
    let (first, second) = (
      try #require(app.scope(\.sheet, action: Screen.sheet)), try #require(app.scope(\.sheet, action: Screen.sheet))
    )
    let told = Tally()
    withObservationTracking {
      _ = first.items
    } onChange: {
      told.increment()
    }
    for number in 2...4 { change { $0.sheet?.items.append(number) } }
    change { $0.sheet = nil }
    #expect(first.items == [1, 2, 3, 4])
    #expect(second.items == [1, 2, 3, 4])
    #expect(told.value == 1)
  }

  @Test func `A field that cannot be compared is shown as it was last (M5)`() throws {
    let sheet = try #require(app.scope(\.sheet, action: Screen.sheet))
    #expect(sheet.label.number == 1)
    for number in 2...4 { change { $0.sheet?.label.number = number } }
    change { $0.sheet = nil }
    #expect(sheet.label.number == 4)
  }

  @Test func `A child of the child is removed with it, and is shown in the same way (M5)`() throws {
    let sheet = try #require(app.scope(\.sheet, action: Screen.sheet))
    let inner = sheet.scope(\.inner, action: Screen.inner)
    #expect(inner.depth == 1)
    for _ in 0..<3 { change { $0.sheet?.inner.depth += 1 } }
    change { $0.sheet = nil }
    #expect(inner.depth == 4)
  }

  @Test func `When there is a child again, the last value of the new child is shown (M5)`() throws {
    let sheet = try #require(app.scope(\.sheet, action: Screen.sheet))
    #expect(sheet.count == 1)
    change { $0.sheet?.count = 5 }
    change { $0.sheet = nil }
    change { $0.sheet = Sheet.State(count: 7) }
    #expect(sheet.count == 7)
    change { $0.sheet?.count = 8 }
    change { $0.sheet?.count = 9 }
    change { $0.sheet = nil }
    #expect(sheet.count == 9)
  }

  @Test func `When only a reader has noticed the removal, the next child is seen when it is scoped (M5)`() throws {
    let sheet = try #require(app.scope(\.sheet, action: Screen.sheet))
    // Nothing of it was read, so the store does not look for it.
    change { $0.sheet = nil }
    #expect(sheet.count == 1)
    change { $0.sheet = Sheet.State(items: [2]) }
    #expect(app.scope(\.sheet, action: Screen.sheet) != nil)
    change { $0.sheet = nil }
    #expect(sheet.items == [2])
  }

  @Test func `A child store that is not kept leaves nothing to compare (M5)`() throws {
    do {
      let sheet = try #require(app.scope(\.sheet, action: Screen.sheet))
      #expect(sheet.count == 1)
      change { $0.sheet?.count += 1 }
      #expect(app.node.fields.count == 2)
    }
    change { $0.sheet?.count += 1 }
    #expect(app.node.fields.count == 0)
  }
}
