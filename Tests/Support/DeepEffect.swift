// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// The ways in which a tree can be deep; each has its levels numbered from the innermost outwards.
package enum DeepEffect: CaseIterable, Sendable {
  case leftMerge, rightMerge, leftConcatenate, rightConcatenate
  /// A merge around a sequence around a merge, deep on either side in turn: no two levels can be flattened into one.
  case alternating
  /// Trees under ids, one inside another.
  case cancellable
  /// All of that in one tree.
  case mixed

  /// A tree of so many levels, with a run for its innermost leaf.
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

  /// How many branches lie one inside another at each level.
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
