// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

// Runs that several dispatches own, and what such runs cause (rule O1).
//
// A shared run is a part of the effect of its first owner. Where another owner joined it, there is a part that settles
// with it. What its actions cause belongs to a share: like a dispatch, but not sent, and a part of each owner's
// dispatch.
extension ReferenceModel {
  /// The newest run of the id that is active, or waits for its slot, with an equal input.
  func runToJoin(_ node: Node, at id: String) -> Node? {
    guard node.overlap.kind == .join, let run = node.run else { return nil }
    let place = places[id, default: Place()]
    return (place.live + place.queue).last { !$0.isCatching && $0.run != nil && $0.run?.input == run.input }
  }

  func join(_ shared: Node, as branch: Node) {
    shared.joiners.append(add(Node(.joined(shared), phase: .live, parent: branch)))
    // Work that was caused by the run has the same owners already.
    if shared.isRun, shared.share.map({ $0 !== branch.dispatch }) ?? false { ownersChanged(of: shared)() }
  }

  /// What the actions of a run belong to now.
  func cause(of run: Node) -> Node {
    guard !run.joiners.isEmpty else { return run.dispatch }
    if let share = run.share { return share }
    let share = Node(.share, phase: .live, parent: nil)
    // Held by the run, as long as its owners stay the same.
    share.open = 1
    run.share = share
    shares.append(share)
    var owners: [Node] = []
    for owner in ([run] + run.joiners).map(\.dispatch) where !owners.contains(where: { $0 === owner }) {
      owners.append(owner)
      join(share, as: owner)
    }
    return share
  }

  /// What the run causes from now on belongs to others than before.
  private func ownersChanged(of run: Node) -> Consequence {
    let share = run.share
    run.share = nil
    return { [self] in if let share { partSettled(of: share) } }
  }

  /// The branches that have settled with a shared run, or with a share.
  func takeJoiners(of shared: Node) -> [Node] {
    let joiners = shared.joiners
    shared.joiners = []
    var branches: [Node] = []
    for joiner in joiners {
      joiner.phase = .over
      joiner.parent?.parts.removeAll { $0 === joiner }
      if let branch = joiner.parent { branches.append(branch) }
    }
    if let share = shared.share { branches.append(share) }
    shared.share = nil
    return branches
  }

  func settleJoiners(of shared: Node) {
    for branch in takeJoiners(of: shared) { partSettled(of: branch) }
  }

  /// The dispatches that own work of these ids, by themselves or by what shared runs have caused.
  func dispatches(owningAnyOf ids: [String]) -> Set<UInt64> {
    var found: Set<UInt64> = []
    func visit(_ node: Node) {
      for joiner in node.joiners { visit(joiner.dispatch) }
      let root = node.dispatch
      if case .dispatch(let number) = root.kind { found.insert(number) } else if root !== node { visit(root) }
    }
    for id in ids { for node in places[id, default: Place()].all { visit(node) } }
    return found
  }

  // MARK: - Releasing

  private func letGo(_ joiner: Node, _ consequences: inout [Consequence]) {
    guard let shared = joiner.shared else { return }
    joiner.phase = .over
    joiner.parent?.parts.removeAll { $0 === joiner }
    shared.joiners.removeAll { $0 === joiner }
    consequences.append(ownersChanged(of: shared))
  }

  /// Removes the joiners from a branch that is about to be cancelled: they only share a run.
  func letGoOfShared(in branch: Node, _ consequences: inout [Consequence]) {
    for joiner in branch.all where joiner.isJoined { letGo(joiner, &consequences) }
  }

  /// A dispatch releases all it shares; returns it and the shares that have no owner now.
  func lettingGo(_ dispatch: Node, _ consequences: inout [Consequence]) -> [Node] {
    var roots = [dispatch]
    var next = 0
    while next < roots.count {
      let root = roots[next]
      next += 1
      root.isRefusing = true
      for joiner in root.all where joiner.isJoined {
        let (branch, shared) = (joiner.parent, joiner.shared)
        letGo(joiner, &consequences)
        if let branch, branch.isDispatch { consequences.append { [self] in partSettled(of: branch) } }
        if let shared, case .share = shared.kind, shared.joiners.isEmpty { roots.append(shared) }
      }
    }
    return roots
  }

  /// One owner releases a run that others have joined: it goes on for them. `false` if it has no joiners.
  func passToFirstJoiner(_ run: Node, _ consequences: inout [Consequence]) -> Bool {
    guard run.isRun, run.isPresent, let joiner = run.joiners.first, let branch = joiner.parent else { return false }
    if let former = run.parent {
      former.parts.removeAll { $0 === run }
      consequences.append { [self] in partSettled(of: former) }
    }
    run.joiners.removeFirst()
    joiner.phase = .over
    branch.parts.removeAll { $0 === joiner }
    branch.parts.append(run)
    run.parent = branch
    run.isExclusive = joiner.isExclusive || run.keepsSlot
    consequences.append(ownersChanged(of: run))
    return true
  }
}
