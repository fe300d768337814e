// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Runs with several owners, and what these runs cause (rule O5).
///
/// A shared run is in the branch of its first owner. In the branch of each other owner is a `joined`, which settles
/// with the run. What the actions of the run cause belongs to the dispatches of all owners, and may outlive the run. It
/// belongs to a **share**, which is like a dispatch without an action. In the dispatch of every owner there is a
/// `joined`, which settles with the share:
///
///     dispatch 1 ─┬─ sequence ── run ◄─────────┐
///                 └─ joined ──────────┐        │
///     dispatch 2 ─┬─ joined ──────────│────────┘
///                 └─ joined ──────────┴─► share ── what the run has caused
///
/// The owners of a share do not change. When the owners of its run change, the next action of the run gets a new share.
/// So a dispatch owns nothing that came before it joined or after it left. A share may be owned by another share, but
/// only by the share of a run that acted earlier. So there are no circles.
extension Scheduler {
  /// The newest run of an id with an equal input that is queued or active, and has not left its slot. Queued runs are newer.
  ///
  /// It compares runs whose inputs have the same hash. If work of the id has declared another overlap, which is reported, it
  /// compares all runs of the id, from the newest on.
  func newest(at place: Int32, input: (any Hashable & Sendable)?) -> Int32? {
    func isMeant(_ index: Int32) -> Bool {
      guard !workTree.isRecovering(index), case .run(let operation) = workTree[index] else { return false }
      return EffectInput.areEqual(operation.input, input)
    }
    guard names.hasOtherOverlaps(than: .join, at: place) else {
      return runsByInput.newest(at: place, input: input, where: isMeant)
    }
    return names.last(.queued, at: place, where: isMeant) ?? names.last(.active, at: place, where: isMeant)
  }

  /// What the actions of a run belong to: its dispatch, or a share if others have joined it.
  mutating func cause(of run: Int32) -> Int32 {
    guard sharedRuns.hasJoiners(run) else { return workTree.root(of: run) }
    if let share = sharedRuns.share(of: run) { return share }
    let share = workTree.addShare()
    // Held by the run, so that not every action makes a new one.
    sharedRuns.setShare(share, of: run)
    var owners: Set<Int32> = []
    for root in [workTree.root(of: run)] + sharedRuns.joiners(of: run).map({ workTree.root(of: $0) })
    where owners.insert(root).inserted {
      join(share, as: workTree.token(root))
    }
    return share
  }

  /// Adds a part to a branch that settles with a run or a share of another branch.
  private mutating func join(_ shared: Int32, as parent: Token) {
    let index = add(.joined(shared), phase: .running, to: parent)
    sharedRuns.join(index, to: shared)
    if waits.hasRuns { endCircle(through: index) }
  }

  /// A run that arrives joins one that is active or queued.
  mutating func joinRun(_ run: Int32, as parent: Token) {
    let parent = parent == .turn ? dispatch() : parent
    join(run, as: parent)
    // A joiner that the run itself has caused has the same owners already.
    if sharedRuns.share(of: run) != workTree.root(of: parent.slot) { ownersChanged(of: run) }
  }

  /// What a run causes from now on has other owners than before.
  private mutating func ownersChanged(of run: Int32) {
    guard let share = sharedRuns.removeShare(of: run) else { return }
    steps.append(.settled(workTree.token(share)))
  }

  /// A shared run, or a share, has settled: so have the parts that settle with it, in the order in which they joined.
  mutating func settleJoiners(of index: Int32) {
    guard sharedRuns.hasJoiners(index) else { return }
    for joiner in sharedRuns.joiners(of: index) {
      sharedRuns.leave(joiner, from: index)
      workTree.leaveBranch(joiner)
      steps.append(.settled(workTree.parent(of: joiner)))
      free(joiner)
    }
    ownersChanged(of: index)
  }

  // MARK: - Leaving

  /// Removes the joiners of runs and shares from branches that are about to be cancelled. The run that they have joined
  /// may be in these branches as well, and must not pass to one of these joiners. Returns the shares that have no owner
  /// any more.
  @discardableResult
  mutating func detachJoined(in branches: [Int32]) -> [Int32] {
    guard !sharedRuns.isEmpty else { return [] }
    var orphans: [Int32] = []
    var pending = branches
    while let index = pending.popLast() {
      for part in workTree.members(of: index) {
        guard case .joined(let shared) = workTree[part] else {
          pending.append(part)
          continue
        }
        workTree.leaveBranch(part)
        // A dispatch or share continues to exist, and counts its parts.
        if workTree.isRoot(index) { steps.append(.settled(workTree.parent(of: part))) }
        detach(part, from: shared)
        if case .share = workTree[shared], !sharedRuns.hasJoiners(shared) { orphans.append(shared) }
      }
    }
    return orphans
  }

  /// Removes a joiner, which has left its branch: the run or share continues without it.
  mutating func detach(_ index: Int32, from shared: Int32) {
    noteLeaving(index, of: shared)
    sharedRuns.leave(index, from: shared)
    free(index)
    ownersChanged(of: shared)
  }

  /// The first owner leaves a run that others have joined: the run continues for them, in the branch of the one that
  /// joined first. `false` if there are no others.
  mutating func passToFirstJoiner(_ index: Int32) -> Bool {
    guard workTree.phase(of: index) != .cancelling, let joiner = sharedRuns.firstJoiner(of: index) else { return false }
    noteLeaving(index, of: index)
    let former = workTree.parent(of: index)
    workTree.leaveBranch(index)
    if former != .none { steps.append(.settled(former)) }
    sharedRuns.leave(joiner, from: index)
    workTree.leaveBranch(joiner)
    workTree.move(index, toBranchOf: joiner)
    free(joiner)
    ownersChanged(of: index)
    return true
  }

  // MARK: - Queries

  /// The dispatches and shares that own any of this work, by themselves or as a part of what shared runs have caused.
  func owners(of work: [Int32]) -> Set<Int32> {
    var pending = work
    var owners: Set<Int32> = []
    while let index = pending.popLast() {
      pending += sharedRuns.joiners(of: index)
      let root = workTree.root(of: index)
      if root >= 0, owners.insert(root).inserted, root != index { pending.append(root) }
    }
    return owners
  }

  /// Whether a run belongs to a dispatch, by itself or as a part of what shared runs have caused.
  func isOwned(_ run: Int32, by dispatch: Int32) -> Bool {
    var pending = [run]
    var seen: Set<Int32> = []
    while let index = pending.popLast() {
      let root = workTree.root(of: index)
      if root == dispatch { return true }
      pending += sharedRuns.joiners(of: index)
      // Cancelled work has no root.
      if root >= 0, root != index, seen.insert(root).inserted { pending.append(root) }
    }
    return false
  }
}
