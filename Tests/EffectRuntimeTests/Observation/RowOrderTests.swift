// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private struct Item: Equatable, Sendable, Identifiable {
  var id: Int
  var title = ""
}

private struct Shelf: Reducer {
  struct State: Equatable, Sendable {
    var rows: [Int: String] = [1: "a", 2: "b"]
    var items = [Item(id: 1), Item(id: 2), Item(id: 3)]
    var reversed: [Item] { items.reversed() }
    var part: Part? = Part()
  }
  struct Part: Equatable, Sendable { var items = [Item(id: 7)] }
  typealias Action = @Sendable (inout State) -> Void
  static let part = CasePath<Action, Int>(embed: { _ in { _ in } }, extract: { _ in nil })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    action(&state)
    return .none
  }
}

@MainActor @Suite struct `The ids of rows` {
  private let shelf = ObservableStore(initialState: Shelf.State(), reducer: Shelf())

  /// Whether a reader is notified of a change.
  private func notifies<Value>(_ read: () -> Value, _ change: @escaping Shelf.Action) -> Bool {
    let notified = Tally()
    withObservationTracking {
      _ = read()
    } onChange: {
      notified.increment()
    }
    shelf.send(change)
    return notified.value > 0
  }

  @Test func `Notify when a row of an array is added, removed or moved, not when one changes (M5)`() {
    func read() -> [Int] { shelf.ids(of: \.items) }
    #expect(read() == [1, 2, 3])
    #expect(!notifies(read) { $0.items[1].title = "changed" })
    #expect(!notifies(read) { $0.rows = [:] })
    #expect(notifies(read) { $0.items.append(Item(id: 4)) })
    #expect(notifies(read) { $0.items.swapAt(0, 3) })
    #expect(notifies(read) { $0.items.remove(at: 1) })
    #expect(notifies(read) { $0.items[0].id = 9 })
    #expect(read() == [9, 3, 1])
    #expect(notifies({ shelf.items }) { $0.items[1].title = "changed again" })
  }

  @Test func `Notify when a key of a dictionary is added or removed, not when a value changes (M5)`() {
    func read() -> [Int] { shelf.ids(of: \.rows) }
    #expect(read().sorted() == [1, 2])
    #expect(!notifies(read) { $0.rows[1] = "changed" })
    #expect(!notifies(read) { for id in 1...2 { $0.rows[id]?.append("!") } })
    #expect(notifies(read) { $0.rows[3] = "c" })
    #expect(notifies(read) { $0.rows[1] = nil })
    #expect(read().sorted() == [2, 3])
  }

  @Test func `Of a computed collection count as changed with every reduction (M5)`() {
    #expect(shelf.ids(of: \.reversed) == [3, 2, 1])
    #expect(notifies({ shelf.ids(of: \.reversed) }) { $0.rows = [:] })
  }

  @Test func `Of a removed child are the last ones, read before or not (M5)`() throws {
    let part = try #require(shelf.scope(\.part, action: Shelf.part))
    #expect(part.ids(of: \.items) == [7])
    shelf.send { $0.part?.items.append(Item(id: 8)) }
    #expect(notifies({ part.ids(of: \.items) }) { $0.part?.items.append(Item(id: 9)) })
    shelf.send { $0.part = nil }
    #expect(part.ids(of: \.items) == [7, 8, 9])
    #expect(!notifies({ part.ids(of: \.items) }) { $0.rows = [:] })
    #expect(notifies({ part.ids(of: \.items) }) { $0.part = Shelf.Part() })
    #expect(part.ids(of: \.items) == [7])
  }

  @Test func `Leave nothing when no reader tracks them (M5)`() {
    _ = shelf.ids(of: \.items)
    shelf.send { $0.items = [] }
    #expect(shelf.node.fields.count == 0)
  }

  @Test func `Hold no copy of the rows while they are tracked`() {
    let notified = notifies({ shelf.ids(of: \.items) }) { $0.items[0].title = "b" }
    #expect(!notified)
    let before = Bases()
    shelf.send { before.note($0.items) }
    shelf.send { $0.items[1].title = "c" }
    shelf.send { before.note($0.items) }
    #expect(before.all.count == 1, "a change in place does not copy the array")
  }
}

/// The addresses of arrays.
private final class Bases: Sendable {
  private let seen = Lock<Set<UInt>>([])
  var all: Set<UInt> { seen.withLock { $0 } }
  func note(_ items: [Item]) {
    let address = unsafe items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    seen.withLock { _ = $0.insert(address) }
  }
}
