// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The outcomes of all that some dispatches cause, for requests that collect them (rule L7).
///
/// Work that settles belongs to the dispatches that own it at that moment: the dispatch it is in, and those that joined
/// it. Through shares, it also belongs to the dispatches that own what shared runs caused.
extension Scheduler {
  /// Collects from now on, until ``takeOutcomes(of:)``. To be called before the action is taken.
  mutating func collectOutcomes(ofDispatch number: UInt64) {
    collected.start(number)
  }

  /// What was collected for a dispatch; `nil` if nothing was collected for it.
  mutating func takeOutcomes(of number: UInt64) -> RequestOutcomes? {
    collected.remove(number)
  }

  /// Collects no more for a dispatch. What was collected is released when user code may run.
  mutating func forgetOutcomes(of number: UInt64) {
    if let outcomes = takeOutcomes(of: number) { released.append(Released(outcomes)) }
  }

  /// Work in a slot settles. Costs two comparisons without a listener and a request that collects.
  mutating func noteEnd(_ index: Int32, _ outcome: EffectOutcome) {
    if notes.isOn { note(index, .ended(outcome)) }
    guard !collected.isEmpty else { return }
    collect(workTree[index], outcome, for: owners(of: workTree.root(of: index)))
    for joiner in sharedRuns.joiners(of: index) {
      collect(workTree[index], outcome, for: owners(of: workTree.root(of: joiner)))
    }
  }

  /// An owner of a run is cancelled, and the run goes on for the other owners.
  mutating func noteLeaving(_ member: Int32, of run: Int32) {
    guard !collected.isEmpty, case .run = workTree[run] else { return }
    collect(workTree[run], endReason, for: owners(of: workTree.root(of: member)))
  }

  /// Work that never gets a slot: notes its end, and releases it later.
  mutating func discard(_ work: Slots.Work, _ outcome: EffectOutcome, in parent: Token) {
    discard(work, outcome, for: owners(of: parent))
  }

  /// The same, if the branch that the work was for may have ended meanwhile.
  mutating func discard(_ work: Slots.Work, _ outcome: EffectOutcome, for owners: [UInt64]) {
    if notes.isOn { note(work, .ended(outcome)) }
    collect(work, outcome, for: owners)
    release(work)
  }

  /// The dispatches that own the work of a branch; none unless a request collects outcomes.
  func owners(of branch: Token) -> [UInt64] {
    guard !collected.isEmpty else { return [] }
    if branch == .turn, turn.root == .none { return collected.contains(turn.number) ? [turn.number] : [] }
    let branch = branch == .turn ? turn.root : branch
    return workTree.contains(branch) ? owners(of: workTree.root(of: branch.slot)) : []
  }

  private func owners(of root: Int32) -> [UInt64] {
    // The common case, without a list of roots to search.
    if root >= 0, case .dispatch(let number) = workTree[root] { return collected.contains(number) ? [number] : [] }
    var found: [UInt64] = []
    var seen: Set<Int32> = []
    var pending = [root]
    while let root = pending.popLast() {
      // Cancelled work has no root.
      guard root >= 0, seen.insert(root).inserted else { continue }
      switch workTree[root] {
      case .dispatch(let number): if collected.contains(number) { found.append(number) }
      case .share: pending += sharedRuns.joiners(of: root).map { workTree.root(of: $0) }
      case .none, .run, .sequence, .tree, .joined: break
      }
    }
    return found
  }

  private mutating func collect(_ work: Slots.Work, _ outcome: EffectOutcome, for owners: [UInt64]) {
    guard !owners.isEmpty, let run = description(of: work) else { return }
    for owner in owners { collected.add(run, outcome, to: owner) }
  }
}
