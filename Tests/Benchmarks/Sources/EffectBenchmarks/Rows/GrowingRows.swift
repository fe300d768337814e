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
      name: "growth-row-jobs", title: "while so many other rows are observed", sizes: [0, 1, 1_000], middle: 0,
      goal: .atMost(1.1),
      costs: ["do a job of a row, others by values(_:id:)", "do a job of a row, others by scope(_:id:)"]
    ) { size in
      let (values, fields, tasks) = await observed(size)
      return Growth.Subject(
        measure: { [await values.work(), await fields.work()] }, end: { for task in tasks { task.cancel() } })
    },
    Growth(
      name: "growth-row-observers", title: "while so many other rows are observed", sizes: [0, 1, 1_000], middle: 1,
      goal: .atMost(1.1),
      costs: [
        "reduce an action of a row, others by values(_:id:)", "reduce an action of a row, others by scope(_:id:)",
      ]
    ) { size in
      let (values, fields, tasks) = await observed(size)
      return Growth.Subject(
        measure: { [await values.measure(from: 1_000), await fields.measure(from: 1_000)] },
        end: { for task in tasks { task.cancel() } })
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

/// Two lists of 2,000 rows. So many are observed by iterations in one, and by readers of fields in the other.
private func observed(_ size: Int) async -> (RowSubject<EachList>, RowSubject<EachList>, [Task<Void, Never>]) {
  let values = await RowSubject(2_000, EachList())
  let tasks = await values.iterate(size)
  let fields = await RowSubject(2_000, EachList())
  await fields.observe(size)
  return (values, fields, tasks)
}

private struct Item: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var title = ""
    var count = 0
  }

  func reduce(into state: inout State, action: Int) -> Effect<Int> {
    state.count &+= action
    // A job: its run sends the answer.
    return action == 0 ? .run(id: "job", overlap: .drop) { send in send(1) } : .none
  }
}

private struct ListState: Sendable {
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
  private let whole: Store<List>
  private let store: ObservableStore<List.State, List.Action>
  private let size: Int
  private var observed: [ObservableStore<Item.State, Int>] = []

  init(_ size: Int, _ list: sending List) {
    self.size = size
    let items = Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, Item.State(id: $0)) })
    whole = Store(initialState: ListState(items: items), reducer: list, isolation: MainActor.shared)
    store = ObservableStore(whole)
  }

  /// Starts iterations of rows, and waits until each has its first value.
  func iterate(_ count: Int) async -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for id in 0..<count {
      let (begun, begin) = AsyncStream<Void>.makeStream()
      tasks.append(Task.detached { [whole] in for await _ in whole.values(\.items, id: id) { begin.yield() } })
      for await _ in begun { break }
    }
    return tasks
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

  /// Sends actions to all rows from this one on.
  func measure(from first: Int = 0) async -> Double {
    var id = 0
    return await processorNanoseconds(per: 100_000) {
      for _ in 0..<100_000 {
        id = (id &+ 7_919) % (size - first)
        store.send(ItemAction(id: first + id, action: 1))
      }
    }
  }

  /// Does jobs of rows that are not observed.
  func work() async -> Double {
    await processorNanoseconds(per: 4_000) {
      for number in 0..<4_000 { await store.send(ItemAction(id: 1_000 + number % 1_000, action: 0)).finish() }
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
