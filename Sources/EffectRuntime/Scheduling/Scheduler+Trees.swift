// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Work and the trees around it (rule E6).
extension Scheduler {
  /// The tree of an id that a branch is a part of.
  ///
  /// Costs a comparison unless a tree of the id is active, and then O(depth of the branch).
  func tree(at place: Int32, around branch: Token) -> Int32? {
    guard names.hasOpenTree(at: place), isOpen(branch) else { return nil }
    return workTree.branch(around: branch) { index in
      if workTree.place(of: index) == place, case .tree = workTree[index] { true } else { false }
    }
  }

  /// Returns whether work that arrives is inside a tree of its id, and reports it then: it is a part of this tree and has no id of
  /// its own.
  mutating func reportIfInsideOwnTree(_ work: Slots.Work, at place: Int32, parent: Token) -> Bool {
    guard let tree = tree(at: place, around: parent) else { return false }
    report(.insideItself, of: work, with: tree)
    return true
  }

  // MARK: - A cancel inside of a tree

  /// The tree that a `cancel` of one id reaches and is a part of.
  func ownTree(at place: Int32, around branch: Token) -> EffectRun? {
    tree(at: place, around: branch).flatMap { description(of: workTree[$0]) }
  }

  /// Of the trees that a `cancel` has found, the outermost that the `cancel` is a part of.
  func ownTree(among found: [Int32], around branch: Token) -> EffectRun? {
    var trees: [Int32] = []
    _ = workTree.branch(around: branch) { index in
      if case .tree = workTree[index] { trees.append(index) }
      return false
    }
    guard !trees.isEmpty else { return nil }
    let reached = Set(found)
    return trees.last { reached.contains($0) }.flatMap { description(of: workTree[$0]) }
  }

  /// A `cancel` has reached a tree that it is a part of: reports that, once for each pair of lines.
  mutating func noteSelfCancellation(_ target: Cancellation, of tree: EffectRun?) {
    guard let tree else { return }
    let cancellation = SelfCancellation(target: target, site: target.site, tree: tree)
    guard misuse.reportsFirst(cancellation.key) else { return }
    outputs.append(.report(EffectFailure(error: cancellation, run: tree)))
  }
}
