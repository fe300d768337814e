// This source file is part of swift-effects. License: Apache-2.0.

// The work that a cancel of a scope, or of everything, reaches.
extension ReferenceModel {
  /// All work in the scope, at any depth, but not the sequences that a cancel is itself a part of: they go on behind
  /// it.
  func everything(in scope: String = "", sparing branch: Node?) -> [Node] {
    var spared: [Node] = []
    var around = branch
    while let node = around {
      if node.isSequence { spared.append(node) }
      around = node.parent
    }
    return roots.flatMap(\.all).filter { node in
      !node.isDispatch && !node.isJoined && node.scope.hasPrefix(scope) && !spared.contains { $0 === node }
    }
  }
}
