// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Observation

/// Rows about lists: an action of one row, with a growing number of other rows.
enum GrowingRows {
  static let rows: [Growth] = [
    Growth(
      name: "growth-rows", title: "of one of so many rows", sizes: [1, 1_000, 10_000, 100_000], middle: 1_000,
      costs: [
        "reduce an action, dictionary in plain Swift", "reduce an action, dictionary with forEach",
        "reduce an action, dictionary with forEach, ten rows observed",
      ]
    ) { size in
      let plain = await RowSubject(size, PlainList())
      let each = await RowSubject(size, EachList())
      let observed = await RowSubject(size, EachList())
      await observed.observe(min(size, 10))
      return Growth.Subject { [await plain.measure(), await each.measure(), await observed.measure()] }
    },
    Growth(
      name: "growth-array", title: "of the middle one of so many rows", sizes: [1, 100, 1_000, 10_000, 100_000],
      middle: 100,
      goal: .shown, rounds: 3, costs: ["reduce an action, array with forEach"]
    ) { size in
      let list = await ArraySubject(size)
      return Growth.Subject { [await list.measure()] }
    },
  ]
}

private struct Item: Reducer {
  struct State: Identifiable {
    let id: Int
    var title = ""
    var count = 0
  }

  func reduce(into state: inout State, action: Int) -> Effect<Int> {
    state.count &+= action
    return .none
  }
}

private struct ListState {
  var items: [Int: Item.State]
}

private struct ItemAction: Sendable {
  let id: Int
  let action: Int
  static let path = CasePath<ItemAction, (Int, Int)>(
    embed: { ItemAction(id: $0, action: $1) }, extract: { ($0.id, $0.action) })
}

private struct PlainList: Reducer {
  func reduce(into state: inout ListState, action: ItemAction) -> Effect<ItemAction> {
    Item().reduce(into: &state.items[action.id], action: action.action).scoped(action.id) { [id = action.id] in
      ItemAction(id: id, action: $0)
    }
  }
}

private struct EachList: Reducer {
  private let whole = Reduce(
    Reduce<ListState, ItemAction> { _, _ in .none }.forEach(\.items, action: ItemAction.path) { Item() })

  func reduce(into state: inout ListState, action: ItemAction) -> Effect<ItemAction> {
    whole.reduce(into: &state, action: action)
  }
}

@MainActor
private final class RowSubject<List: Reducer> where List.State == ListState, List.Action == ItemAction {
  private let store: ObservableStore<List.State, List.Action>
  private let size: Int
  private var observed: [ObservableStore<Item.State, Int>] = []

  init(_ size: Int, _ list: sending List) {
    self.size = size
    let items = Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, Item.State(id: $0)) })
    store = ObservableStore(initialState: ListState(items: items), reducer: list)
  }

  func observe(_ count: Int) {
    observed = (0..<count).compactMap { store.scope(\.items, id: $0, action: ItemAction.path) }
    for row in observed {
      withObservationTracking {
        _ = row.title
      } onChange: {
      }
    }
  }

  func measure() async -> Double {
    var id = 0
    return await processorNanoseconds(per: 100_000) {
      for _ in 0..<100_000 {
        id = (id &+ 7_919) % size
        store.send(ItemAction(id: id, action: 1))
      }
    }
  }
}

@MainActor
private final class ArraySubject {
  private let store: ObservableStore<[Item.State], ItemAction>
  private let size: Int

  init(_ size: Int) {
    self.size = size
    store = ObservableStore(
      initialState: (0..<size).map { Item.State(id: $0) },
      reducer: Reduce(
        Reduce<[Item.State], ItemAction> { _, _ in .none }.forEach(\.self, action: ItemAction.path) { Item() }))
  }

  func measure() async -> Double {
    let count = max(100, 100_000 / size)
    return await processorNanoseconds(per: count) {
      for _ in 0..<count { store.send(ItemAction(id: size / 2, action: 1)) }
    }
  }
}
