// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A payload taken out of an action and put back, by a path that is made of the name of the case.
enum CasePathRow {
  static let rows = [
    Row(
      name: "case-path", title: "take a child's action out of an action and put it back, CasePath(Action.row)",
      rounds: 7,
      framework: Contestant("swift-effects") {
        let path = CasePath(RowAction.row)
        return await each { path }
      },
      rivals: [
        Rival("closures", .shown) {
          let path = CasePath<RowAction, (Int, CountedAction)>(
            embed: { RowAction.row($0, $1) },
            extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
          return await each { path }
        },
        // A new path learns again how its case looks.
        Rival("made each time", .shown) { await each { CasePath(RowAction.row) } },
      ])
  ]

  private static let count = 100_000

  private static func each(_ path: @escaping () -> CasePath<RowAction, (Int, CountedAction)>) async -> Double {
    var action = RowAction.row(1, .add(0))
    let time = await nanoseconds(per: count) {
      for _ in 0..<count {
        let path = path()
        guard let (id, counted) = path.extract(action), case .add(let sum) = counted else {
          fatalError("the action is of this case")
        }
        action = path.embed((id, .add(sum + id)))
      }
    }
    guard case .row(1, .add(count)) = action else { fatalError("\(action): each action was taken out and put back") }
    return time
  }
}

private enum RowAction: Sendable {
  case row(Int, CountedAction)
  case reload
}

private enum CountedAction: Sendable {
  case add(Int)
}
