// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Reading

extension Effect: CustomStringConvertible {
  /// The tree as text: `merge(cancel("more"), run("search", input: "swift", overlap: restart))`.
  ///
  /// Nested merges are printed as one, and so are nested sequences: nesting does not matter.
  ///
  /// - Complexity: O(number of nodes), without recursion.
  public var description: String {
    var text = ""
    var pending: [Piece] = [.effect(self, inside: nil)]
    while let piece = pending.popLast() {
      switch piece {
      case .text(let piece): text += piece
      case .effect(let effect, let branch): effect.describe(inside: branch, into: &text, &pending)
      }
    }
    return text
  }

  /// Every run in the tree, from left to right, as values that can be compared.
  ///
  /// ```swift
  /// #expect(effect.runs == [EffectRun(id: "search", overlap: .restart, input: "swift")])
  /// ```
  ///
  /// - Complexity: O(number of nodes), without recursion.
  public var runs: [EffectRun] {
    var found: [EffectRun] = []
    var pending = [self]
    while let effect = pending.popLast() {
      switch effect {
      case .none, .send, .cancel: break
      case .run(let operation): found.append(EffectRun(operation))
      case .merge(let children), .concatenate(let children): pending.append(contentsOf: children.reversed())
      case .cancellable(let tree): pending.append(tree.content)
      }
    }
    return found
  }

  private enum Branch { case merge, concatenate }

  private enum Piece {
    case text(String)
    case effect(Effect, inside: Branch?)
  }

  private func describe(inside outer: Branch?, into text: inout String, _ pending: inout [Piece]) {
    switch self {
    case .none: text += "none"
    case .send(let action): text += "send(\(ValueDescription.of(action)))"
    case .run(let operation): text += "\(EffectRun(operation))"
    case .cancel(let target): text += "cancel(\(target))"
    case .merge(let children): Effect.push(children, .merge, "merge(", inside: outer, &text, &pending)
    case .concatenate(let children): Effect.push(children, .concatenate, "concatenate(", inside: outer, &text, &pending)
    case .cancellable(let tree):
      text += "cancellable(\(tree.id)"
      if tree.overlap != .concurrent { text += ", overlap: \(tree.overlap)" }
      text += ", "
      pending.append(.text(")"))
      pending.append(.effect(tree.content, inside: nil))
    }
  }

  private static func push(
    _ children: Children, _ branch: Branch, _ opening: String, inside outer: Branch?, _ text: inout String,
    _ pending: inout [Piece]
  ) {
    if branch != outer {
      text += opening
      pending.append(.text(")"))
    }
    for (index, child) in children.enumerated().reversed() {
      pending.append(.effect(child, inside: branch))
      if index > 0 { pending.append(.text(", ")) }
    }
  }
}
