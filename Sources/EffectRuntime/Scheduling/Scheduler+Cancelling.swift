// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Inputs

extension Scheduler {
  /// Cancels what a `cancel` effect names; `within` is the branch the effect is a part of.
  @usableFromInline
  mutating func cancel(_ target: Cancellation, within branch: Token) {
    if notes.isOn { noteUnmatched(target, within: branch) }
    cancel(target, within: branch, because: .byEffect)
  }

  /// Cancels what a selection reaches, for a reason. `branch` is as above; `.none` if it is not an effect.
  mutating func cancel(_ target: Cancellation, within branch: Token, because reason: EffectOutcome.CancelReason) {
    let found: [Int32]
    switch target {
    case .id(let id): return cancel(id, within: branch, because: reason)
    case .ids(let ids): found = names.find(ids).flatMap { names.presentWork(at: $0) }
    case .scope(let scope): found = names.find(scope).map { inside($0, sparing: branch) } ?? []
    case .everything: found = inside(NameDirectory.root, sparing: branch)
    case .matching(let predicate, let scope):
      let place = scope.map { names.find($0) } ?? NameDirectory.root
      let all = place.map { inside($0, sparing: branch) } ?? []
      found = all.filter { id(of: $0).map(predicate.callAsFunction) ?? false }
    }
    let tree = workTree.contains(branch) ? ownTree(among: found, around: branch) : nil
    closeWindows(of: target)
    // A branch and its parts may both be found. Cancelling the branch cancels its parts.
    let tokens = found.map { workTree.token($0) }
    endReason = .cancelled(reason)
    inOrder { scheduler in
      for token in tokens where scheduler.workTree.contains(token) { scheduler.cancelWork(token.slot) }
    }
    noteSelfCancellation(target, of: tree)
  }

  /// Cancels the work of ids, not because of an effect. Opens a turn, because work that waited for it goes on now.
  mutating func cancel(ids: Set<EffectID>, because reason: EffectOutcome.CancelReason = .byEffect) {
    if !turn.isOpen { openTurn() }
    cancel(.ids(ids), within: .none, because: reason)
  }

  /// Cancels all work of the store, as `.cancel(.everything)` does.
  mutating func cancelEverything() { cancel(.everything, within: .none, because: .byEffect) }

  /// The runs that are active or wait, without those that were cancelled. O(present work).
  var liveRuns: [(token: Token, run: EffectRun)] {
    inside(NameDirectory.root, sparing: .none).compactMap { index in
      let token = workTree.token(index)
      return description(of: token).map { (token, $0) }
    }
  }

  /// The runs that were cancelled and have not returned. O(slots).
  var closuresOfCancelledRuns: [Token: EffectRun] {
    var found: [Token: EffectRun] = [:]
    for index in workTree.takenSlots where workTree.phase(of: index) == .cancelling {
      let token = workTree.token(index)
      if let run = description(of: token) { found[token] = run }
    }
    return found
  }

  /// The same for one id: the common case, without a list of what is found.
  private mutating func cancel(_ id: EffectID, within branch: Token, because reason: EffectOutcome.CancelReason) {
    guard let place = names.find(id) else { return }
    let tree = ownTree(at: place, around: branch)
    if names.hasWindow(at: place) { closeWindow(of: place) }
    endReason = .cancelled(reason)
    inOrder { scheduler in
      // Cancelled work leaves its list. A tree may contain other work of its id, which leaves with it.
      while let index = scheduler.names.first(.active, at: place) { scheduler.cancelWork(index) }
      while let index = scheduler.names.first(.queued, at: place) { scheduler.cancelWork(index) }
      while let index = scheduler.names.first(.waiting, at: place) { scheduler.cancelWork(index) }
    }
    noteSelfCancellation(.id(id), of: tree)
  }

  /// Cancels everything a dispatch has caused and will cause, except what others own as well (rule O5).
  ///
  /// Opens a turn, because work that waited for its runs goes on now.
  mutating func cancelDispatch(_ number: UInt64) {
    guard let root = root(of: number) else { return }
    endReason = .cancelled(.byDispatch)
    if !turn.isOpen { openTurn() }
    inOrder { scheduler in
      // Joiners are detached before anything is cancelled: a run must not pass to a joiner that is cancelled as well.
      var roots = [root.slot]
      var next = 0
      while next < roots.count {
        scheduler.workTree.refuse(roots[next])
        roots += scheduler.detachJoined(in: [roots[next]])
        next += 1
      }
      for root in roots {
        // A run that others have joined goes on for them.
        for part in scheduler.workTree.members(of: root).map({ scheduler.workTree.token($0) })
        where scheduler.workTree.contains(part) {
          if !scheduler.passToFirstJoiner(part.slot) { scheduler.cancelWork(part.slot) }
        }
      }
    }
  }

  /// Whether a run, or an attempt of one, was cancelled and its closure has not returned.
  package func isCancelling(_ token: Token) -> Bool {
    guard workTree.contains(token) else { return attempts.closure(of: token) != nil }
    return workTree.phase(of: token.slot) == .cancelling
  }
}

// MARK: - Finding

extension Scheduler {
  /// All work in a scope, but not the sequences that the `cancel` is itself a part of: those continue after it.
  func inside(_ scope: Int32, sparing branch: Token) -> [Int32] {
    let found = names.presentWork(inside: scope)
    var around = Set<Int32>()
    _ = workTree.branch(around: branch) { index in
      if case .sequence = workTree[index] { around.insert(index) }
      return false
    }
    return around.isEmpty ? found : found.filter { !around.contains($0) }
  }

  /// The id of the work in a slot, if it has one.
  func id(of index: Int32) -> EffectID? { id(of: workTree[index]) }
}

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
    runsByInput.remove(index)
    names.removeQueued(index, at: place)
    steps.append(.refill(place))
  }

  /// Active work that is cancelled leaves the list of active work. If it has started, it stays at its place as
  /// cancelled.
  private mutating func leaveLive(_ index: Int32, started: Bool) {
    let place = workTree.place(of: index)
    statusWillChange(index)
    if names.isMixed(at: place) { lineLeft(index) }
    runsByInput.remove(index)
    names.cancelled(
      index, at: place, started: started, isRecovering: workTree.isRecovering(index),
      keepsSlot: workTree.keepsSlot(index))
    steps.append(.refill(place))
  }
}
