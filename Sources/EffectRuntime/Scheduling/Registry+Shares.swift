// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Runs that several own, and what such runs cause (rule O1).
///
/// A shared run stands in the branch of its first owner; in the branch of each other stands a `joined` that settles with
/// it. What its actions cause belongs to the dispatches of all of them, and may outlive the run. It hangs from a
/// **share**, which is like a dispatch that nobody sent; in the dispatch of every owner stands a `joined` that settles
/// with the share:
///
///     dispatch 1 ─┬─ sequence ── run ◄─────────┐
///                 └─ joined ──────────┐        │
///     dispatch 2 ─┬─ joined ──────────│────────┘
///                 └─ joined ──────────┴─► share ── what the run has caused
///
/// A share keeps its owners. When the owners of its run change, the next action of the run gets a new share; so nobody
/// owns what came before it joined or after it left. Shares may be owned by shares, always of runs that acted earlier:
/// there are no circles.
extension Registry {
  /// To what the actions of a run belong: its dispatch, or a share if others have joined it.
  mutating func cause(of run: Int32) -> Int32 {
    guard !joiners(of: run).isEmpty else { return slots[run].root }
    if let share = shares[run] { return share }
    let share = slots.allocateRoot(.share)
    // Held by the run, so that not every action makes a new one.
    slots[share].outstanding = 1
    shares[run] = share
    var owners: Set<Int32> = []
    for root in [slots[run].root] + peers.members(of: joiners(of: run)).map({ slots[$0].root })
    where owners.insert(root).inserted {
      join(share, as: slots.token(root))
    }
    return share
  }

  /// Adds a part to a branch that settles with a run or a share of somebody else.
  private mutating func join(_ shared: Int32, as parent: Token, phase: Slots.Phase = .running) {
    let index = add(.joined(shared), phase: phase, to: parent)
    peers.append(index, to: &joinersOf[shared, default: Chain.List()])
    joinedCount += 1
    if !runWaits.isEmpty { endCircle(through: index) }
  }

  /// Those who joined the run, or own the share.
  func joiners(of shared: Int32) -> Chain.List {
    joinedCount == 0 ? Chain.List() : joinersOf[shared] ?? Chain.List()
  }

  private mutating func leaveJoiners(_ index: Int32, of shared: Int32) {
    peers.remove(index, from: &joinersOf[shared, default: Chain.List()])
    if joinersOf[shared]?.isEmpty == true { joinersOf[shared] = nil }
  }

  /// A run that arrives shares one that lives.
  mutating func joinRun(_ run: Int32, as parent: Token) {
    let parent = parent == .turn ? dispatch() : parent
    join(run, as: parent)
    // Whoever is caused by the run has the same owners already.
    if shares[run] != slots[parent.slot].root { ownersChanged(of: run) }
    // An attempt that ran out of time before keeps the slot of the run, and so the owners waiting.
    if slots[run].isTimed, slots[run].keepsPlace, !isDispatch(parent.slot), let attempt = timing.attempts[run],
      attempt.abandoned >= 0
    {
      wait(for: attempt.abandoned, as: parent)
    }
  }

  /// What a run causes from now on belongs to others than before.
  private mutating func ownersChanged(of run: Int32) {
    guard !shares.isEmpty, let share = shares.removeValue(forKey: run) else { return }
    steps.append(.settled(slots.token(share)))
  }

  /// A shared run, or a share, has settled: so have the parts that settle with it, in the order in which they joined.
  ///
  /// A part that stands for a cancelled run whose closure executes stays where the run itself would stay (rule E2): in a
  /// sequence or tree that waits for the closure to return.
  mutating func settleJoiners(of index: Int32, closureExecutes: Bool = false) {
    guard !joiners(of: index).isEmpty else { return }
    for joiner in peers.members(of: joiners(of: index)) {
      if closureExecutes, waitsForReturn(joiner, of: index) {
        slots[joiner].phase = .cancelling
        slots[joiner].waitsForReturn = true
      } else {
        leaveJoiners(joiner, of: index)
        leaveBranch(joiner)
        steps.append(.settled(slots[joiner].parent))
        joinedCount -= 1
        free(joiner)
      }
    }
    ownersChanged(of: index)
  }

  private func waitsForReturn(_ joiner: Int32, of run: Int32) -> Bool {
    (slots[joiner].waitsForReturn || slots[run].keepsPlace) && !isDispatch(slots[joiner].parent.slot)
  }

  /// The closure of an attempt that ran out of time executes in a slot of its own: the owners of the run wait for it as the
  /// branch of the run does.
  mutating func joinersWait(for closure: Int32, of run: Int32) {
    for joiner in peers.members(of: joiners(of: run)) where waitsForReturn(joiner, of: run) {
      wait(for: closure, as: slots[joiner].parent)
    }
  }

  private mutating func wait(for closure: Int32, as parent: Token) {
    join(closure, as: parent, phase: .cancelling)
    if let index = joinersOf[closure]?.last { slots[index].waitsForReturn = true }
  }

  /// The parts that have waited for a closure, which has returned.
  mutating func takeWaiting(for closure: Int32) -> [Int32] {
    let waiting = peers.members(of: joiners(of: closure))
    for index in waiting { leaveJoiners(index, of: closure) }
    joinedCount -= waiting.count
    return waiting
  }

  /// Whether a part waits for the closure of a cancelled run to return.
  func isWaiting(_ index: Int32) -> Bool {
    slots[index].phase == .cancelling
  }

  // MARK: - Letting go

  /// Takes those out of branches that are about to be cancelled who only share a run or a share. A run itself may be in
  /// there as well, and must not be left to them. Answers with the shares that belong to nobody now.
  @discardableResult
  mutating func detachJoined(in branches: [Int32]) -> [Int32] {
    guard joinedCount > 0 else { return [] }
    var orphans: [Int32] = []
    var pending = branches
    while let index = pending.popLast() {
      for part in siblings.members(of: slots[index].children) {
        guard case .joined(let shared) = slots[part].work, !isWaiting(part) else {
          pending.append(part)
          continue
        }
        leaveBranch(part)
        // A dispatch or share goes on existing, and counts.
        if isDispatch(index) { steps.append(.settled(slots[part].parent)) }
        detach(part, from: shared)
        if case .share = slots[shared].work, joiners(of: shared).isEmpty { orphans.append(shared) }
      }
    }
    return orphans
  }

  mutating func detach(_ index: Int32, from shared: Int32) {
    noteLeaving(index, of: shared)
    leaveJoiners(index, of: shared)
    joinedCount -= 1
    free(index)
    ownersChanged(of: shared)
  }

  /// One owner lets go of a run that others have joined: it goes on for them. `false` if nobody has.
  mutating func bequeath(_ index: Int32) -> Bool {
    // Those who wait for the closure of a cancelled run have nothing to inherit.
    let heir = slots[index].phase == .cancelling ? -1 : joiners(of: index).first
    guard heir >= 0 else { return false }
    noteLeaving(index, of: index)
    let former = slots[index].parent
    leaveBranch(index)
    if former != .none { steps.append(.settled(former)) }
    leaveJoiners(heir, of: index)
    leaveBranch(heir)
    slots[index].root = slots[heir].root
    slots[index].waitsForReturn = slots[heir].waitsForReturn || slots[index].keepsPlace
    adopt(index, by: slots[heir].parent)
    joinedCount -= 1
    free(heir)
    ownersChanged(of: index)
    return true
  }

  // MARK: - Asking

  /// The dispatches and shares that own any of this work, by themselves or as a part of what shared runs have caused.
  func owners(of work: [Int32]) -> Set<Int32> {
    var pending = work
    var owners: Set<Int32> = []
    while let index = pending.popLast() {
      pending += peers.members(of: joiners(of: index))
      let root = slots[index].root
      if root >= 0, owners.insert(root).inserted, root != index { pending.append(root) }
    }
    return owners
  }

  /// Whether a run belongs to a dispatch, by itself or as a part of what shared runs have caused.
  func isOwned(_ run: Int32, by dispatch: Int32) -> Bool {
    var pending = [run]
    var seen: Set<Int32> = []
    while let index = pending.popLast() {
      let root = slots[index].root
      if root == dispatch { return true }
      pending += peers.members(of: joiners(of: index))
      // What is cancelled has no root.
      if root >= 0, root != index, seen.insert(root).inserted { pending.append(root) }
    }
    return false
  }
}
