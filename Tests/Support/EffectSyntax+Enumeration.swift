// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - All small trees

extension EffectSyntax {
  /// Every tree with at most the given numbers of leaves and levels: 21,769 for three leaves and two levels.
  ///
  /// Leaves are `none`, a `send`, a `cancel`, and a run with and without an id. A level is a `merge` or `concatenate`
  /// of any length, including 0 and 1, or a `cancellable`. Everything is numbered from left to right, so that a change
  /// of order is visible.
  package static func all(leaves: Int, depth: Int) -> [EffectSyntax] {
    (0...leaves).flatMap { trees(leaves: $0, depth: depth) }.map {
      var number = 0
      return $0.numbered(&number)
    }
  }

  /// All trees of two levels with up to three leaves; in a short run with up to two.
  package static let small = all(leaves: TestSize.of(3, short: 2), depth: 2)

  private static func trees(leaves: Int, depth: Int) -> [EffectSyntax] {
    let alone: [EffectSyntax] = leaves == 1 ? leafKinds : []
    guard depth > 0 else { return alone }
    let branches = lists(leaves: leaves, depth: depth - 1).flatMap { [merge($0), concatenate($0)] }
    return alone + branches + trees(leaves: leaves, depth: depth - 1).map { cancellable(path: [], $0) }
  }

  private static func lists(leaves: Int, depth: Int) -> [[EffectSyntax]] {
    guard leaves > 0 else { return [[]] }
    return (1...leaves).flatMap { count in
      let rest = lists(leaves: leaves - count, depth: depth)
      return trees(leaves: count, depth: depth).flatMap { first in rest.map { [first] + $0 } }
    }
  }

  private static let leafKinds: [EffectSyntax] = [
    .none, .send(0), .cancel(path: []), .run(path: [], isNamed: true, input: 0),
    .run(path: [], isNamed: false, input: 0),
  ]

  private func numbered(_ number: inout Int) -> EffectSyntax {
    number += 1
    switch self {
    case .none: return self
    case .send: return .send(number)
    case .run(_, let isNamed, _): return .run(path: isNamed ? ["r\(number)"] : [], isNamed: isNamed, input: number)
    case .cancel: return .cancel(path: ["c\(number)"])
    case .merge(let parts): return .merge(parts.map { $0.numbered(&number) })
    case .concatenate(let parts): return .concatenate(parts.map { $0.numbered(&number) })
    case .cancellable(_, let content): return .cancellable(path: ["t\(number)"], content.numbered(&number))
    }
  }
}

// MARK: - All bracketings

extension EffectSyntax {
  /// Every way to put brackets into a list without changing its order, including the list without brackets.
  package static func bracketings(
    of parts: [EffectSyntax], with branch: ([EffectSyntax]) -> EffectSyntax
  ) -> [EffectSyntax] {
    guard parts.count > 1 else { return [branch(parts)] }
    return splits(of: parts[...]).filter { $0.count > 1 }.flatMap { groups in
      groups.reduce([[]]) { lists, group in
        let choices = group.count == 1 ? [group[0]] : bracketings(of: group, with: branch)
        return lists.flatMap { list in choices.map { list + [$0] } }
      }.map(branch)
    }
  }

  /// Every way to split a list into consecutive groups.
  private static func splits(of parts: ArraySlice<EffectSyntax>) -> [[[EffectSyntax]]] {
    guard !parts.isEmpty else { return [[]] }
    return (1...parts.count).flatMap { length in
      splits(of: parts.dropFirst(length)).map { [Array(parts.prefix(length))] + $0 }
    }
  }
}
