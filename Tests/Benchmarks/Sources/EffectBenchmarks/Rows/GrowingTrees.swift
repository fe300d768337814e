// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Rows about effects that consist of many runs.
enum GrowingTrees {
  static let rows: [Growth] = [
    row("growth-merge", "of so many runs merged") { .merge((0..<$0).map { _ in leaf }) },
    row("growth-concatenate", "of so many runs concatenated") { .concatenate((0..<$0).map { _ in leaf }) },
    row("growth-nesting", "of a tree so deep, merged and concatenated in turn") { size in
      var tree = Effect<LeafAction>.none
      for level in 0..<size { tree = level % 2 == 0 ? .merge(leaf, tree) : .concatenate(leaf, tree) }
      return tree
    },
  ]

  private static func row(
    _ name: String, _ title: String, _ tree: @escaping @Sendable (Int) -> Effect<LeafAction>
  ) -> Growth {
    Growth(
      name: name, title: title, sizes: [10, 1_000, 100_000], middle: 1_000, rounds: 3,
      costs: ["build, interpret and end one run"]
    ) { size in
      Growth.Subject {
        let store = Store(initialState: 0, reducer: Planting(size: size, tree: tree))
        // Small trees several times, one after another. Otherwise the clock would be measured.
        let trees = max(1, 20_000 / size)
        return [
          await processorNanoseconds(per: trees * size) {
            for _ in 0..<trees { await store.send(.plant).finish() }
          }
        ]
      }
    }
  }

  private static var leaf: Effect<LeafAction> { .run { send in send(.fall) } }
}

private enum LeafAction: Sendable {
  case plant
  case fall
}

private struct Planting: Reducer {
  let size: Int
  let tree: @Sendable (Int) -> Effect<LeafAction>

  func reduce(into fallen: inout Int, action: LeafAction) -> Effect<LeafAction> {
    switch action {
    case .plant: return tree(size)
    case .fall:
      fallen += 1
      return .none
    }
  }
}
