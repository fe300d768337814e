// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// The shapes of a deep tree. The levels of each shape are numbered from the innermost outwards.
package enum DeepEffect: CaseIterable, Sendable {
  case leftMerge, rightMerge, leftConcatenate, rightConcatenate
  /// A merge around a sequence around a merge and so on, deep on the left and the right side in turn. No two levels can
  /// be flattened into one.
  case alternating
  /// Trees under ids, one inside another.
  case cancellable
  /// All of these shapes in one tree.
  case mixed

  /// A tree with the given number of levels, with a run as its innermost leaf.
  package func make(levels: Int) -> Effect<Int> {
    (1...levels).reduce(.run(id: "deepest", overlap: .concurrent, input: 0) { _, send in send(0) }) { effect, level in
      switch self {
      case .leftMerge: .merge(effect, .send(level))
      case .rightMerge: .merge(.send(level), effect)
      case .leftConcatenate: .concatenate(effect, .send(level))
      case .rightConcatenate: .concatenate(.send(level), effect)
      case .alternating where level.isMultiple(of: 2): .merge(.send(level), effect)
      case .alternating: .concatenate(effect, .send(level))
      case .cancellable: effect.cancellable(id: level, overlap: .concurrent)
      case .mixed where level.isMultiple(of: 2):
        .merge(.send(level), effect.cancellable(id: level, overlap: .concurrent))
      case .mixed: .concatenate(effect.cancellable(id: level, overlap: .concurrent), .send(level))
      }
    }
  }

  /// The number of nested branches at each level.
  package var branchesPerLevel: Int { self == .mixed ? 2 : 1 }

  /// The description of that tree with a number added to every action, inside a scope.
  package func text(levels: Int, adding added: Int = 0, scope: String = "") -> String {
    let pieces = (1...levels).map { level in
      let send = "send(\(level + added))"
      let tree = "cancellable(\(scope)\(level), "
      return switch self {
      case .leftMerge, .leftConcatenate: ("", ", \(send)")
      case .rightMerge, .rightConcatenate: ("\(send), ", "")
      case .alternating where level.isMultiple(of: 2): ("merge(\(send), ", ")")
      case .alternating: ("concatenate(", ", \(send))")
      case .cancellable: (tree, ")")
      case .mixed where level.isMultiple(of: 2): ("merge(\(send), \(tree)", "))")
      case .mixed: ("concatenate(\(tree)", "), \(send))")
      }
    }
    let inside =
      pieces.reversed().map(\.0).joined() + "run(\(scope)\"deepest\", input: 0)" + pieces.map(\.1).joined()
    return switch self {
    case .leftMerge, .rightMerge: "merge(\(inside))"
    case .leftConcatenate, .rightConcatenate: "concatenate(\(inside))"
    case .alternating, .cancellable, .mixed: inside
    }
  }
}
