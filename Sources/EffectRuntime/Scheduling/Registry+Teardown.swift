// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// How a member is cancelled with all that is in it.
extension Registry {
  /// Cancels one member and all its parts, and notes what follows. It settles at once; it is gone when its closures have
  /// returned.
  ///
  /// Sequences dissolve. Runs whose closure executes, and trees around such runs, stay in the slab as `cancelling`; a
  /// tree then counts the closures that have not returned.
  mutating func cancelWork(_ top: Int32) {
    guard slots[top].phase != .cancelling else { return }
    let parent = slots[top].parent
    leaveBranch(top)
    slots[top].parent = .none
    // A sequence or tree around it must not go on while an exclusive closure of it executes; a dispatch may.
    let outer = slots.contains(parent) && !isDispatch(parent.slot) ? parent : .none
    // The common case has no parts, and needs no lists.
    if case .run = slots[top].work {
      let closureExecutes = slots[top].phase == .running
      tearDownRun(Kept(index: top, keeper: .none, outer: outer))
      steps.append(.settled(parent))
      // After its own branch. A run that is a part of what is cancelled has none: one of them has inherited it.
      return settleJoiners(of: top, closureExecutes: closureExecutes)
    }
    defer { steps.append(.settled(parent)) }
    detachJoined(in: [top])
    var trees: [Kept] = []
    var pending = [Kept(index: top, keeper: .none, outer: outer)]
    while let next = pending.popLast() {
      // A tree that was cancelled before goes on keeping its closures.
      let isOver = slots[next.index].phase == .cancelling
      let parts = isOver ? [] : siblings.members(of: slots[next.index].children)
      if next.index != top {
        // The list it was in is taken apart with its branch: there is nothing to leave.
        slots[next.index].parent = .none
        if bequeath(next.index) { continue }
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
    /// The branch that goes on around all that is cancelled.
    let outer: Token
  }

  /// Takes one member down; answers with the keeper of its parts.
  private mutating func tearDown(_ member: Kept, _ trees: inout [Kept]) -> Token {
    let index = member.index
    switch slots[index].work {
    case .run:
      tearDownRun(member)
    case .tree:
      switch slots[index].phase {
      case .queued:
        noteEnd(index, book.reason)
        leaveQueue(index)
        free(index)
      case .cancelling:
        keep(member)
      case .running, .starting, .waiting, .free:
        noteEnd(index, book.reason)
        slots[index].phase = .cancelling
        slots[index].outstanding = 0
        slots[index].children = Chain.List()
        trees.append(member)
        return slots.token(index)
      }
    case .sequence:
      leaveScope(index)
      free(index)
    case .joined(let closure):
      // It waits for the closure of a cancelled run; those that share a run have been detached.
      keep(member)
      if slots[index].parent == .none { detach(index, from: closure) }
    case .none, .dispatch, .share:
      fatalError("Registry: a dispatch is no part of anything; bug in EffectRuntime, please report")
    }
    return member.keeper
  }

  private mutating func tearDownRun(_ member: Kept) {
    let index = member.index
    if slots[index].phase != .cancelling { noteEnd(index, book.reason) }
    if slots[index].isTimed { attemptsOver(index) }
    forgetCaught(index)
    switch slots[index].phase {
    case .waiting:
      cancelWaiting(index)
    case .queued:
      leaveQueue(index)
      free(index)
    case .starting:
      if slots[index].isNamed { leaveLive(index, started: false) } else { leaveScope(index) }
      free(index)
    case .running:
      commands.append(.cancel(slots.token(index)))
      if slots[index].isNamed { leaveLive(index, started: true) } else { leaveScope(index) }
      slots[index].phase = .cancelling
      keep(member)
    case .cancelling:
      keep(member)
    case .free:
      break
    }
  }

  /// The parts of a cancelled tree have been taken down: it is gone, or waits for closures.
  private mutating func closeTree(_ tree: Kept) {
    let stays = slots[tree.index].outstanding > 0
    directory[slots[tree.index].place].openTrees -= 1
    leaveLive(tree.index, started: stays)
    if stays { keep(tree) } else { free(tree.index) }
  }

  /// Cancelled work stays until its closure has returned; whoever keeps it counts it.
  private mutating func keep(_ member: Kept) {
    // Its dispatch may be finished, and the slot of that somebody else's, before the closure returns.
    slots[member.index].root = -1
    slots[member.index].parent = .none
    // An exclusive tree that is cancelled as well is waited for as a whole.
    let isKeptWaiting = member.keeper != .none && slots[member.keeper.slot].waitsForReturn
    let isWaitedFor = slots[member.index].waitsForReturn && !isKeptWaiting && member.outer != .none
    let keeper = isWaitedFor ? member.outer : member.keeper
    guard keeper != .none else { return }
    slots[keeper.slot].outstanding += 1
    adopt(member.index, by: keeper)
  }

  mutating func adopt(_ index: Int32, by parent: Token) {
    slots[index].parent = parent
    siblings.append(index, to: &slots[parent.slot].children)
  }

  /// Whether a branch is a dispatch or share, which nothing is around.
  func isDispatch(_ index: Int32) -> Bool {
    slots[index].root == index
  }

  private mutating func leaveQueue(_ index: Int32) {
    let place = slots[index].place
    statusWillChange(index)
    record(book.reason, at: place)
    if directory[place].isMixed { lineLeft(index) }
    peers.remove(index, from: &directory[place].queue)
    directory[place].counts.queuedDropped()
    steps.append(.refill(place))
  }

  private mutating func leaveLive(_ index: Int32, started: Bool) {
    let place = slots[index].place
    statusWillChange(index)
    record(book.reason, at: place)
    if directory[place].isMixed { lineLeft(index) }
    peers.remove(index, from: &directory[place].live)
    directory[place].counts.runningCancelled(started: started, keepsPlace: slots[index].keepsPlace)
    if started { peers.append(index, to: &directory[place].cancelling) }
    steps.append(.refill(place))
  }
}
