// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime
@testable import EffectTesting

/// A small program of effects, its text, and the properties of every order in which its actions may be reduced.
///
/// Two actions are sent, each of which returns a tree. A run with the number *n* sends `10n + 1` and `10n + 2`, a
/// `send` with the number *n* is `10n`, and the actions sent are 1,000 and 1,001.
struct SmallProgram: CustomStringConvertible {
  indirect enum Tree {
    case run(Int, id: String?)
    case send(Int)
    case cancel(String)
    case merge([Tree])
    case concatenate([Tree])
  }

  let trees: [Tree]
  /// One for each id: different kinds under one id are reported.
  let overlaps: [String: Overlap]
  let description: String

  init(seed: UInt64, leaves: Int) {
    var numbers = SeededNumbers(seed: seed)
    let kinds: [Overlap] = [.concurrent, .restart, .drop, .enqueue, .keepLatest]
    overlaps = ["a": kinds[numbers.next(below: kinds.count)], "b": kinds[numbers.next(below: kinds.count)]]
    var number = 0
    let count = 1 + numbers.next(below: leaves - 1)
    trees = [count, leaves - count].map { Self.tree(of: $0, &numbers, &number) }
    description = "seed \(seed): \(trees) \(overlaps)"
  }

  private static func tree(of leaves: Int, _ numbers: inout SeededNumbers, _ number: inout Int) -> Tree {
    if leaves == 1 {
      number += 1
      switch numbers.next(below: 6) {
      case 0: return .send(number)
      case 1: return .cancel(["a", "b"][numbers.next(below: 2)])
      case 2: return .run(number, id: nil)
      default: return .run(number, id: ["a", "b"][numbers.next(below: 2)])
      }
    }
    let left = 1 + numbers.next(below: leaves - 1)
    let parts = [tree(of: left, &numbers, &number), tree(of: leaves - left, &numbers, &number)]
    return numbers.next(below: 2) == 0 ? .merge(parts) : .concatenate(parts)
  }

  var reducer: Planted<[Int], Int> {
    Planted { state, action in
      state.append(action)
      return action >= 1_000 ? effect(of: trees[action - 1_000]) : .none
    }
  }

  private func effect(of tree: Tree) -> Effect<Int> {
    switch tree {
    case .run(let number, let id):
      .run(id: id, overlap: id.flatMap { overlaps[$0] } ?? .concurrent) { send in
        send(10 * number + 1)
        await Task.yield()
        send(10 * number + 2)
      }
    case .send(let number): .send(10 * number)
    case .cancel(let id): .cancel(id: id)
    case .merge(let parts): .merge(parts.map(effect(of:)))
    case .concatenate(let parts): .concatenate(parts.map(effect(of:)))
    }
  }

  // MARK: - What must be true

  /// The first rule that an order of reductions violates.
  func violation(of order: [Int]) -> String? {
    for tree in trees {
      if let broken = sequenceBreach(tree, order) { return broken }
      for number in tree.runs.keys {
        let parts = order.filter { $0 / 10 == number && $0 < 1_000 }
        if parts != Array([10 * number + 1, 10 * number + 2].prefix(parts.count)) { return "T2: \(parts)" }
      }
    }
    guard order.filter({ $0 >= 1_000 }) == [1_000, 1_001] else { return "T2: what was sent" }
    for (index, tree) in trees.enumerated() {
      let place = order.firstIndex(of: 1_000 + index) ?? 0
      let sends = tree.immediate.compactMap { if case .send(let number) = $0 { 10 * number } else { nil } }
      if Array(order[(place + 1)...].prefix(sends.count)) != sends { return "T3: \(sends) behind \(1_000 + index)" }
    }
    return placeBreach(order) ?? cancelBreach(order)
  }

  /// What a part of a `concatenate` sends comes before what the next one sends.
  private func sequenceBreach(_ tree: Tree, _ order: [Int]) -> String? {
    switch tree {
    case .run, .send, .cancel: return nil
    case .merge(let parts): return parts.lazy.compactMap { sequenceBreach($0, order) }.first
    case .concatenate(let parts):
      for (left, right) in zip(parts, parts.dropFirst()) {
        let (former, latter) = (left.numbers, right.numbers)
        let ofLeft = order.lastIndex { $0 < 1_000 && former.contains($0 / 10) }
        let ofRight = order.firstIndex { $0 < 1_000 && latter.contains($0 / 10) }
        if let ofLeft, let ofRight, ofLeft > ofRight { return "T4: \(former) and \(latter)" }
      }
      return parts.lazy.compactMap { sequenceBreach($0, order) }.first
    }
  }

  /// Runs of one id with one slot do not interleave.
  private func placeBreach(_ order: [Int]) -> String? {
    let runs = trees.reduce(into: [:]) { $0.merge($1.runs) { first, _ in first } }
    for (id, overlap) in overlaps where overlap != .concurrent {
      let own = order.filter { $0 < 1_000 && runs[$0 / 10] == id }.map { $0 / 10 }
      var seen: Set<Int> = []
      for (number, next) in zip(own, own.dropFirst()) where number != next {
        seen.insert(number)
        if seen.contains(next) { return "O1: \(own)" }
      }
    }
    return nil
  }

  /// A run that the second action cancels or replaces at once sends nothing more.
  private func cancelBreach(_ order: [Int]) -> String? {
    let place = order.firstIndex(of: 1_001) ?? 0
    for leaf in trees[1].immediate {
      let gone: String?
      switch leaf {
      case .cancel(let id): gone = id
      case .run(_, let id?): gone = overlaps[id] == .restart ? id : nil
      default: gone = nil
      }
      guard let gone else { continue }
      let late = order[place...].filter { action in action < 1_000 && trees[0].runs[action / 10] == gone }
      // If it is after another run in a sequence it may start after the cancel.
      let early = Set(trees[0].immediate.flatMap { $0.numbers })
      if late.contains(where: { early.contains($0 / 10) }) { return "E1: \(late) after a cancel of \(gone)" }
    }
    return nil
  }
}

extension SmallProgram.Tree {
  /// The runs, by number, with their ids.
  var runs: [Int: String] {
    switch self {
    case .run(let number, let id): [number: id ?? ""]
    case .send, .cancel: [:]
    case .merge(let parts), .concatenate(let parts): parts.reduce(into: [:]) { $0.merge($1.runs) { first, _ in first } }
    }
  }

  var numbers: Set<Int> {
    switch self {
    case .run(let number, _), .send(let number): [number]
    case .cancel: []
    case .merge(let parts), .concatenate(let parts): Set(parts.flatMap(\.numbers))
    }
  }

  /// The leaves that are interpreted with the action itself: not after a run, or anything else, in a sequence.
  var immediate: [SmallProgram.Tree] {
    switch self {
    case .run, .send, .cancel: [self]
    case .merge(let parts): parts.flatMap(\.immediate)
    case .concatenate(let parts): parts[0].immediate
    }
  }
}
