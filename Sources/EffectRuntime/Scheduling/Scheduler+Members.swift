// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Work inside a tree of its own id: it belongs to the tree (rule E6).
///
/// Of a tree inside, only the content counts. A run inside is a **member**: it holds no slot of its own under the
/// overlap, and is not counted. But it has its own input, attempts, `catch` and time modifiers; their windows are those
/// of the id.
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

  /// A run that arrives is a member if it is inside a tree of its id. Returns whether it was started as one.
  mutating func startsAsMember(_ operation: any AnyOperation, at place: Int32, parent: Token) -> Bool {
    guard let tree = tree(at: place, around: parent) else { return false }
    let index = addMember(operation, phase: .starting, of: tree, parent: parent)
    if notes.isOn { note(index, .registered(.starting)) }
    commands.append(.start(workTree.token(index)))
    return true
  }

  /// A run that arrives waits as a member if it is inside a tree of its id.
  mutating func waitsAsMember(_ operation: any AnyOperation, at place: Int32, parent: Token) -> Int32? {
    tree(at: place, around: parent).map { addMember(operation, phase: .waiting, of: $0, parent: parent) }
  }

  private mutating func addMember(
    _ operation: any AnyOperation, phase: Slots.Phase, of tree: Int32, parent: Token
  ) -> Int32 {
    noteOverlap(of: .run(operation), operation.overlap, inside: tree)
    let index = add(.run(operation), phase: phase, to: parent)
    let place = workTree.place(of: tree)
    workTree.setMember(place, of: index)
    names.addMember(index, at: place)
    return index
  }

  /// A member has ended or is cancelled. Its tree keeps the place in the directory.
  mutating func leaveMembers(_ index: Int32) {
    names.removeMember(index, at: workTree.place(of: index))
  }

  /// If a tree arrives inside a tree of its id, only its content counts. Returns whether that is so.
  mutating func opensInside(_ node: EffectNode, _ label: TreeLabel, at place: Int32, parent: Token) -> Bool {
    guard let tree = tree(at: place, around: parent) else { return false }
    noteOverlap(of: .tree(node, label), label.overlap, inside: tree)
    steps.append(.part(Part(node: node, index: 0, parent: parent)))
    release(.tree(node, label))
    return true
  }

  /// Members of the id that wait for a window or a delay.
  func waitingMembers(at place: Int32) -> [Int32] {
    names.isEmpty(.members, at: place)
      ? [] : names.work(.members, at: place).filter { workTree.phase(of: $0) == .waiting }
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
    commands.append(.report(EffectFailure(error: cancellation, run: tree)))
  }
}
