// This source file is part of swift-effects. License: Apache-2.0.

// Whom a cancel of a scope, or of everything, reaches.
extension ReferenceModel {
  /// The sequences that a cancel is itself a part of; they go on behind it.
  func sequences(around branch: Node) -> [Node] {
    var spared: [Node] = []
    var around: Node? = branch
    while let node = around {
      if node.isSequence { spared.append(node) }
      around = node.parent
    }
    return spared
  }

  /// Everything that lives in the scope, at any depth.
  func everythingInScope(sparing branch: Node) -> [Node] {
    let spared = sequences(around: branch)
    func found(in node: Node) -> [Node] {
      (node.isScoped && !spared.contains { $0 === node } ? [node] : []) + node.parts.flatMap(found)
    }
    return dispatches.sorted { $0.key < $1.key }.flatMap { found(in: $0.value) }
  }

  /// Everything that lives, but not the sequences that the cancel is itself a part of.
  func everything(sparing branch: Node) -> [Node] {
    let spared = sequences(around: branch)
    func tops(of node: Node) -> [Node] {
      node.parts.flatMap { part in spared.contains { $0 === part } ? tops(of: part) : [part] }
    }
    return dispatches.sorted { $0.key < $1.key }.flatMap { tops(of: $0.value) }
  }
}
