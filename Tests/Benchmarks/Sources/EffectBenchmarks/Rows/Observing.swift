// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Observation

/// Rows about the cost of observers for an action that does not change what they observe.
enum Observing {
  static let rows: [any Measurable] = [
    Row(
      name: "observable-send", title: "reduce an action sent to an ObservableStore of which nothing is observed",
      limit: Limit(most: 500, stretch: 300),
      framework: Contestant("swift-effects") { await Observed(0).measure(100_000) }, rivals: []),
    Row(
      name: "observed-field", title: "an observed stored field that an action did not change, one of 1,000",
      limit: Limit(most: 40, stretch: 25),
      framework: Contestant("swift-effects") { await Observed(1_000).measure(1_000) / 1_000 }, rivals: []),
    Growth(
      name: "growth-fields", title: "while so many other fields are observed", sizes: [0, 1, 10, 100, 1_000], middle: 0,
      goal: .shown, costs: ["reduce an action"]
    ) { size in
      let subject = await Observed(size)
      return Growth.Subject { [await subject.measure(2_000_000 / (size + 20))] }
    },
    Growth(
      name: "growth-values", title: "while so many tasks iterate the values of another field",
      sizes: [0, 1, 10, 100, 1_000],
      middle: 0, goal: .shown, costs: ["reduce an action"]
    ) { size in
      let subject = await Observed(0)
      let tasks = await subject.iterate(size)
      return Growth.Subject(
        measure: { [await subject.measure(2_000_000 / (size + 20))] }, end: { for task in tasks { task.cancel() } })
    },
  ]
}

/// Ten fields, or ten times ten, or a thousand.
private struct Ten<Value: Sendable>: Sendable {
  var a, b, c, d, e, f, g, h, i, j: Value
  init(_ value: Value) {
    (a, b, c, d, e, f, g, h, i, j) = (value, value, value, value, value, value, value, value, value, value)
  }
  static var paths: [KeyPath<Ten, Value>] { [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j] }
}

private struct Many: Sendable {
  var fields = Ten(Ten(Ten(1)))
  var count = 0

  /// A thousand stored fields.
  static var paths: [KeyPath<Many, Int>] {
    Ten<Ten<Ten<Int>>>.paths.flatMap { outer in
      Ten<Ten<Int>>.paths.flatMap { middle in
        Ten<Int>.paths.map { inner in
          (\Many.fields).appending(path: outer).appending(path: middle).appending(path: inner)
        }
      }
    }
  }
}

private struct Counting: Reducer {
  func reduce(into state: inout Many, action: Int) -> Effect<Int> {
    state.count &+= action
    return .none
  }
}

@MainActor
private final class Observed {
  private let whole: Store<Counting>
  private let store: ObservableStore<Many, Int>

  init(_ count: Int) {
    whole = Store(initialState: Many(), reducer: Counting(), isolation: MainActor.shared)
    store = ObservableStore(whole)
    let paths = Many.paths.prefix(count)
    withObservationTracking {
      for path in paths { _ = store[dynamicMember: path] }
    } onChange: {
      preconditionFailure("Observing: a field notified its observers without a change")
    }
  }

  /// Starts iterations, and waits until each has its first value.
  func iterate(_ count: Int) async -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<count {
      let (begun, begin) = AsyncStream<Void>.makeStream()
      tasks.append(Task.detached { [whole] in for await _ in whole.values(\.fields.c.c.c) { begin.yield() } })
      for await _ in begun { break }
    }
    return tasks
  }

  func measure(_ count: Int) async -> Double {
    await processorNanoseconds(per: count) {
      for _ in 0..<count { store.send(1) }
    }
  }
}
