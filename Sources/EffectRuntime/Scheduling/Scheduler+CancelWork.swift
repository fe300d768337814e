// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// How a member is cancelled with all its parts.
extension Scheduler {
  /// Cancels one member and all its parts, and notes what follows. It settles at once, and leaves when its closures have
  /// returned.
  ///
  /// Sequences are removed. Runs whose closure executes, and trees around such runs, stay in the slab as `cancelling`;
  /// a tree then counts the closures that have not returned.
  mutating func cancelWork(_ top: Int32) {
    guard workTree.phase(of: top) != .cancelling else { return }
    let parent = workTree.parent(of: top)
    workTree.leaveBranch(top)
    workTree.forgetParent(of: top)
    // A sequence or tree around it must not go on while an exclusive closure of it executes; a dispatch may.
    let outer = workTree.contains(parent) && !workTree.isRoot(parent.slot) ? parent : .none
    // The common case has no parts, and needs no lists.
    if case .run = workTree[top] {
      tearDownRun(Kept(index: top, keeper: .none, outer: outer))
      steps.append(.settled(parent))
      // After its own branch. A run that is a part of a cancelled branch has no joiners: it has passed to one of them.
      return settleJoiners(of: top)
    }
    defer { steps.append(.settled(parent)) }
    detachJoined(in: [top])
    var trees: [Kept] = []
    var pending = [Kept(index: top, keeper: .none, outer: outer)]
    while let next = pending.popLast() {
      // A tree that was cancelled before goes on keeping its closures.
      let isOver = workTree.phase(of: next.index) == .cancelling
      let parts = isOver ? [] : workTree.members(of: next.index)
      if next.index != top {
        // The list it was in is removed with its branch, so it need not leave the list.
        workTree.forgetParent(of: next.index)
        if passToFirstJoiner(next.index) { continue }
      }
      let keeper = tearDown(next, &trees)
      pending.append(contentsOf: parts.reversed().map { Kept(index: $0, keeper: keeper, outer: outer) })
    }
    // Inner trees first: an outer one stays if an inner one does.
    for tree in trees.reversed() { closeTree(tree) }
  }

  /// A member of a cancelled branch.
  private struct Kept {
    let index: Int32
    /// The cancelled tree around it, which stays as long as closures of it execute.
    let keeper: Token
    /// The branch around all that is cancelled, which goes on.
    let outer: Token
  }

  /// Cancels one member; returns the keeper of its parts.
  private mutating func tearDown(_ member: Kept, _ trees: inout [Kept]) -> Token {
    let index = member.index
    switch workTree[index] {
    case .run:
      tearDownRun(member)
    case .tree:
      switch workTree.phase(of: index) {
      case .queued:
        noteEnd(index, endReason)
        leaveQueue(index)
        free(index)
      case .cancelling:
        keep(member)
      case .running, .starting, .waiting, .free:
        noteEnd(index, endReason)
        workTree.beginCancelling(index)
        trees.append(member)
        return workTree.token(index)
      }
    case .sequence:
      leaveScope(index)
      free(index)
    case .none, .dispatch, .share, .joined:
      fatalError(
        "Scheduler: a dispatch is no part of anything, and joiners have been detached; bug in EffectRuntime, please report"
      )
    }
    return member.keeper
  }

  /// Cancels a run, in whatever phase it is.
  private mutating func tearDownRun(_ member: Kept) {
    let index = member.index
    if workTree.phase(of: index) != .cancelling { noteEnd(index, endReason) }
    if workTree.isTimed(index) { forgetTime(of: index) }
    forgetCaught(index)
    switch workTree.phase(of: index) {
    case .waiting:
      cancelWaiting(index)
    case .queued:
      leaveQueue(index)
      free(index)
    case .starting:
      if workTree.isNamed(index) { leaveLive(index, started: false) } else { leaveScope(index) }
      free(index)
    case .running:
      outputs.append(.cancel(workTree.token(index)))
      if workTree.isNamed(index) { leaveLive(index, started: true) } else { leaveScope(index) }
      workTree.setPhase(.cancelling, of: index)
      keep(member)
    case .cancelling:
      keep(member)
    case .free:
      break
    }
  }

  /// The parts of a cancelled tree have been cancelled: it leaves, or waits for closures.
  private mutating func closeTree(_ tree: Kept) {
    let stays = workTree.isHeld(tree.index)
    names.treeClosed(at: workTree.place(of: tree.index))
    leaveLive(tree.index, started: stays)
    if stays { keep(tree) } else { free(tree.index) }
  }

  /// Cancelled work stays until its closure has returned; its keeper counts it.
  private mutating func keep(_ member: Kept) {
    // Its dispatch may be finished, and its slot used again, before the closure returns.
    workTree.detach(member.index)
    // An exclusive tree that is cancelled as well is waited for as a whole.
    let isKeptWaiting = member.keeper != .none && workTree.waitsForReturn(member.keeper.slot)
    let isWaitedFor = workTree.waitsForReturn(member.index) && !isKeptWaiting && member.outer != .none
    let keeper = isWaitedFor ? member.outer : member.keeper
    guard keeper != .none else { return }
    workTree.hold(keeper.slot)
    workTree.adopt(member.index, by: keeper)
  }

  /// Queued work that is cancelled leaves its place.
  private mutating func leaveQueue(_ index: Int32) {
    let place = workTree.place(of: index)
    statusWillChange(index)
    if names.isMixed(at: place) { lineLeft(index) }
    names.removeQueued(index, at: place)
    steps.append(.refill(place))
  }

  /// Active work that is cancelled leaves the list of active work. If it has started, it stays at its place as
  /// cancelled.
  private mutating func leaveLive(_ index: Int32, started: Bool) {
    let place = workTree.place(of: index)
    statusWillChange(index)
    if names.isMixed(at: place) { lineLeft(index) }
    names.cancelled(
      index, at: place, started: started, isRecovering: workTree.isRecovering(index),
      keepsSlot: workTree.keepsSlot(index))
    steps.append(.refill(place))
  }
}
