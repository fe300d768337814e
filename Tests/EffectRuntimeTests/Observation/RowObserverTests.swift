// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

@MainActor @Suite struct `Observers of rows` {
  /// Takes all values that are left.
  private func rest<Values: AsyncIteratorProtocol>(_ iterator: inout Values) async -> [ShelvedRow.State?]
  where Values.Element == ShelvedRow.State?, Values.Failure == Never {
    var values: [ShelvedRow.State?] = []
    while let value = await iterator.next(isolation: #isolation) { values.append(value) }
    return values
  }

  private func same(_ left: [ShelvedRow.State?], _ right: [ShelvedRow.State?]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { Sameness.areSame($0, $1) }
  }

  @Test(arguments: 0..<8) func `See what observers of their path see, however the row changes (M5, M6)`(part: UInt64)
    async
  {
    for seed in (part * 40)..<(part * 40 + UInt64(TestSize.of(40, short: 8))) {
      // An action may come for a row that was removed.
      let store = Store(
        initialState: RowShelf.filled(4), reducer: RowShelf(), isolation: MainActor.shared, onFailure: { _ in })
      var rows = (0..<6).map { store.values(\.lists.rows, id: $0, buffering: .unbounded).makeAsyncIterator() }
      var items = (0..<6).map { store.values(\.lists.items, id: $0, buffering: .unbounded).makeAsyncIterator() }
      var plainRows = (0..<6).map { store.values(\.lists[row: $0], buffering: .unbounded).makeAsyncIterator() }
      var plainItems = (0..<6).map { store.values(\.lists[item: $0], buffering: .unbounded).makeAsyncIterator() }
      for id in 0..<6 {
        _ = await (rows[id].next(isolation: #isolation), plainRows[id].next(isolation: #isolation))
        _ = await (items[id].next(isolation: #isolation), plainItems[id].next(isolation: #isolation))
      }
      var random = RandomRowShelf(numbers: Numbers(seed: seed))
      for _ in 0..<60 { store.send(random.action()) }
      await store.shutdown(.cancelling)
      for id in 0..<6 {
        let (row, plainRow) = await (rest(&rows[id]), rest(&plainRows[id]))
        #expect(same(row, plainRow), "row \(id), seed \(seed)")
        let (item, plainItem) = await (rest(&items[id]), rest(&plainItems[id]))
        #expect(same(item, plainItem), "item \(id), seed \(seed)")
      }
    }
  }

  @Test(arguments: 0..<8) func `Are notified of what they read, however the row changes (M5)`(part: UInt64) {
    for seed in (part * 40)..<(part * 40 + UInt64(TestSize.of(40, short: 8))) {
      let store = ObservableStore(initialState: RowShelf.filled(4), reducer: RowShelf(), onFailure: { _ in })
      var kept: [AnyObject?] = []
      var watched: [(name: String, read: () -> Int?, shown: Int?, tally: Tally)] = []
      for id in 0..<6 {
        let reads: [(String, () -> Int?)] = [
          ("row \(id)", { store.scope(\.lists.rows, id: id, action: RowShelf.row)?.title }),
          ("item \(id)", { store.scope(\.lists.items, id: id, action: RowShelf.item)?.title }),
        ]
        // A store that is kept, and one that is not.
        if id % 2 == 0 { kept.append(store.scope(\.lists.rows, id: id, action: RowShelf.row)) }
        for (name, read) in reads { watched.append((name, read, nil, Tally())) }
      }
      func track(_ index: Int) {
        let tally = Tally()
        watched[index].tally = tally
        watched[index].shown = withObservationTracking(watched[index].read) { tally.increment() }
      }
      for index in watched.indices { track(index) }
      var random = RandomRowShelf(numbers: Numbers(seed: seed))
      for step in 0..<60 {
        store.send(random.action())
        for index in watched.indices {
          let isNotified = watched[index].tally.value > 0
          #expect(
            isNotified == (watched[index].read() != watched[index].shown), "\(watched[index].name), \(seed), \(step)")
          if isNotified { track(index) }
        }
      }
      withExtendedLifetime(kept) {}
    }
  }

  @Test func `An action of another row makes no iteration compare (M5)`() async {
    let store = Store(initialState: RowShelf.filled(1_000), reducer: RowShelf(), isolation: MainActor.shared)
    var rows = (0..<500).map { store.values(\.lists.rows, id: $0).makeAsyncIterator() }
    var items = (0..<5).map { store.values(\.lists.items, id: $0).makeAsyncIterator() }
    for index in rows.indices { #expect(await rows[index].next(isolation: #isolation)??.title == 0) }
    for index in items.indices { #expect(await items[index].next(isolation: #isolation)??.title == 0) }
    let comparisons = Tally()
    func send(_ action: RowShelf.Action) {
      ShelvedRow.State.comparisons.withValue(comparisons) { _ = store.send(action) }
    }
    // The first action of a row of each collection begins it.
    send(RowShelf.Action(row: (900, .title(1))))
    send(RowShelf.Action(item: (900, .title(1))))
    let before = comparisons.value
    for id in 900..<1_000 {
      send(RowShelf.Action(row: (id, .title(7))))
      send(RowShelf.Action(item: (id, .weight(.nan))))
    }
    #expect(comparisons.value == before)
    send(RowShelf.Action(row: (3, .title(7))))
    #expect((1...10).contains(comparisons.value - before))
    #expect(await rows[3].next(isolation: #isolation)??.title == 7)
    // It is not known which row this changes.
    send(RowShelf.Action(behind: { $0.lists.rows[4]?.title = 8 }))
    #expect(await rows[4].next(isolation: #isolation)??.title == 8)
  }

  /// Where the dictionary of the state has its rows.
  private func address(in store: Store<RowShelf>) -> UInt {
    store.assumeIsolated { unsafe unsafeBitCast($0.state.lists.rows, to: UInt.self) }
  }

  @Test func `No action of a row copies the collection, and other changes rarely do`() async {
    let store = Store(initialState: RowShelf.filled(100), reducer: RowShelf(), isolation: MainActor.shared)
    var row = store.values(\.lists.rows, id: 1).makeAsyncIterator()
    _ = await row.next(isolation: #isolation)
    func copies(_ action: RowShelf.Action) -> Int {
      var count = 0
      for _ in 0..<1_000 {
        let before = address(in: store)
        store.send(action)
        if address(in: store) != before { count += 1 }
      }
      return count
    }
    #expect(copies(RowShelf.Action(row: (2, .title(1)))) == 0)
    #expect(copies(RowShelf.Action(behind: { $0.lists.rows[2]?.title += 1 })) == 1)
    // A change behind the `forEach` with each action of a row: it is tried rarely whether that has ended.
    #expect(copies(RowShelf.Action(row: (2, .title(1)), behind: { $0.lists.rows[3]?.title += 1 })) < 20)
    #expect(copies(RowShelf.Action(row: (2, .title(1)))) == 0)
  }

  @Test func `What cannot be compared in a row notifies with every reduction (M5)`() {
    let store = ObservableStore(initialState: RowShelf.filled(3), reducer: RowShelf())
    let rows = (0..<3).map { store.scope(\.lists.rows, id: $0, action: RowShelf.row) }
    let notified = Tally()
    func track(_ read: () -> Void) { withObservationTracking(read) { notified.increment() } }
    for id in [2, 2, 2] { store.send(RowShelf.Action(row: (id, .title(1)))) }
    track { _ = rows[0]?.double }
    track { _ = rows[1]?.box }
    track { _ = rows[1]?.title }
    store.send(RowShelf.Action(row: (2, .title(2))))
    #expect(notified.value == 2)
    store.send(RowShelf.Action(row: (2, .title(3))))
    #expect(notified.value == 2)
    store.send(RowShelf.Action(row: (1, .title(3))))
    #expect(notified.value == 3)
  }

  @Test func `Rows of a child that goes and comes back with the same rows are seen again (M5)`() {
    var state = RowShelf.filled(2)
    state.part = state.lists
    let store = ObservableStore(initialState: state, reducer: RowShelf())
    let part = store.scope(\.part, action: RowShelf.part)
    let row = part?.scope(\.rows, id: 1, action: RowShelf.row)
    let notified = Tally()
    func track() {
      withObservationTracking {
        _ = row?.title
      } onChange: {
        notified.increment()
      }
    }
    track()
    let lists = state.lists
    store.send(RowShelf.Action(row: (1, .title(1))))
    #expect(notified.value == 0)
    store.send(RowShelf.Action(behind: { $0.part = nil }))
    #expect(notified.value == 1)
    track()
    store.send(RowShelf.Action(behind: { $0.part = lists }))
    store.send(RowShelf.Action(behind: { $0.part?.rows[1]?.title = 5 }))
    #expect(notified.value == 2)
    #expect(row?.title == 5)
  }

  @Test func `Observers that come and go leave nothing (M6)`() async {
    let store = Store(initialState: RowShelf.filled(100), reducer: RowShelf(), isolation: MainActor.shared)
    for round in 1...20 {
      var rows = (0..<100).map { store.values(\.lists.rows, id: $0 % 50).makeAsyncIterator() }
      for index in rows.indices { #expect(await rows[index].next(isolation: #isolation) != nil) }
      store.send(RowShelf.Action(row: (7, .title(round))))
      #expect(await rows[57].next(isolation: #isolation)??.title == round)
    }
    // Every eighth slice examines one row.
    for _ in 0..<1_000 { store.send(RowShelf.Action(row: (90, .title(0)))) }
    #expect(store.observers.isEmpty)
    var row = store.values(\.lists.rows, id: 7).makeAsyncIterator()
    #expect(await row.next(isolation: #isolation)??.title == 20)
    await store.shutdown(.cancelling)
    #expect(await row.next(isolation: #isolation) == nil)
    var late = store.values(\.lists.rows, id: 7).makeAsyncIterator()
    #expect(await late.next(isolation: #isolation) == nil)
  }

  /// A part of a path whose equality and hash use the store.
  private struct Shelf: Hashable, Sendable {
    static let use = Lock<(@Sendable () -> Void)?>(nil)
    var name = "left"

    static func == (left: Self, right: Self) -> Bool {
      use.withLock { $0 }?()
      return left.name == right.name
    }

    func hash(into hasher: inout Hasher) {
      Self.use.withLock { $0 }?()
      hasher.combine(name)
    }
  }

  private struct Shelves: Reducer {
    struct State: Equatable, Sendable {
      var rows = [1: ShelvedRow.State(id: 1)]

      subscript(shelf: Shelf) -> [Int: ShelvedRow.State] { rows }
    }

    func reduce(into state: inout State, action: Int) -> Effect<Int> {
      state.rows[1]?.title = action
      return .none
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A path is compared while no lock is held, because that may be code of users (M6)`() async {
    let store = Store(initialState: Shelves.State(), reducer: Shelves(), isolation: MainActor.shared)
    let calls = Lock(0)
    Shelf.use.withLock {
      $0 = { [weak store] in
        calls.withLock { $0 += 1 }
        // Takes the lock of the list.
        _ = store?.observers.isEmpty
      }
    }
    var first = store.values(\.[Shelf()], id: 1).makeAsyncIterator()
    var second = store.values(\.[Shelf()], id: 1).makeAsyncIterator()
    #expect(await first.next(isolation: #isolation)??.title == 0)
    #expect(await second.next(isolation: #isolation)??.title == 0)
    store.send(5)
    #expect(await first.next(isolation: #isolation)??.title == 5)
    #expect(await second.next(isolation: #isolation)??.title == 5)
    #expect(calls.withLock { $0 } > 2)
    Shelf.use.withLock { $0 = nil }
  }
}
