// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The work that has not returned, as a tree in numbered slots.
///
/// A **root** (a dispatch, or the share of a run) contains **members**: runs, sequences and trees. Sequences and trees are
/// branches and contain further members. Each branch counts what has yet to settle in it. A member is linked to its
/// branch and to its root. No function is recursive, so a tree a million levels deep needs no deep stack.
///
/// - Complexity: O(1) amortised for each call, except `members(of:)`, which is O(members), `branch(around:where:)`,
///   which is O(depth), `dispatch(_:)`, which is O(log(dispatches)), and `takenSlots`, which is O(slots).
struct WorkTree: Sendable {
  private var slots = Slots()
  /// The members of each branch.
  private var siblings = Chain()
  private var dispatches = Dispatches()

  /// How many slots are taken.
  var count: Int { slots.count }

  /// Whether the work of a token is still in its slot, cancelled or not.
  func contains(_ token: Token) -> Bool { slots.contains(token) }

  /// The slots that are taken; for tests that check all work.
  var takenSlots: [Int32] { slots.taken }

  /// The token of the work in a slot.
  func token(_ index: Int32) -> Token { slots.token(index) }

  /// The work in a slot.
  subscript(index: Int32) -> Slots.Work {
    @inline(__always) _read { yield slots[index].work }
  }

  /// Releases the memory of a peak; see ``Slots/shrink(above:)``.
  ///
  /// - Returns: how many slots remain; `nil` if none were released.
  mutating func shrink(above minimum: Int) -> Int? {
    guard let size = slots.shrink(above: minimum) else { return nil }
    siblings.shrink(to: size)
    dispatches.shrink()
    return size
  }

  /// Makes the present token of a slot invalid, and keeps its work: the next closure of a run has a token of its own.
  mutating func renew(_ index: Int32) { slots.renew(index) }
}

// MARK: - Roots

extension WorkTree {
  /// Adds a dispatch, held by its turn.
  mutating func addDispatch(_ number: UInt64, isRefusing: Bool) -> Token {
    let index = slots.allocateRoot(.dispatch(number))
    slots[index].outstanding = 1
    slots[index].isRefusing = isRefusing
    let token = slots.token(index)
    dispatches.add(number, token)
    return token
  }

  /// Adds a share, held by its run.
  mutating func addShare() -> Int32 {
    let index = slots.allocateRoot(.share)
    slots[index].outstanding = 1
    return index
  }

  /// The dispatch with a number; `nil` if it has finished, or nothing has needed a slot for it.
  func dispatch(_ number: UInt64) -> Token? {
    guard let token = dispatches.find(number), slots.contains(token) else { return nil }
    return token
  }

  /// Frees the slot of a dispatch that has finished.
  mutating func removeDispatch(_ index: Int32) {
    _ = slots.free(index)
    dispatches.removed(liveIn: slots)
  }

  /// Frees the slot of a share that has settled.
  mutating func removeShare(_ index: Int32) { _ = slots.free(index) }

  /// Whether a slot holds a root, which is inside nothing.
  func isRoot(_ index: Int32) -> Bool { slots[index].root == index }

  /// Whether a dispatch was cancelled: the runs that it still causes do not start.
  func isRefusing(_ root: Int32) -> Bool { slots[root].isRefusing }

  /// A dispatch is cancelled.
  mutating func refuse(_ root: Int32) { slots[root].isRefusing = true }
}

// MARK: - Branches

extension WorkTree {
  /// Adds a member to a branch, which waits for it to settle.
  mutating func add(_ work: Slots.Work, phase: Slots.Phase, to parent: Token) -> Int32 {
    let index = slots.allocate(work, phase: phase, parent: parent, root: slots[parent.slot].root)
    slots[index].waitsForReturn = slots[parent.slot].waitsForReturn
    slots[parent.slot].outstanding += 1
    siblings.append(index, to: &slots[parent.slot].children)
    return index
  }

  /// Adds the closure of an attempt that ran out of time, which belongs to no branch. It has the place and id of its run.
  mutating func addClosure(of run: Int32) -> Int32 {
    let index = slots.allocate(slots[run].work, phase: .cancelling, parent: .none, root: -1)
    if slots[run].isNamed {
      slots[index].isNamed = true
      slots[index].place = slots[run].place
    }
    return index
  }

  /// Frees a slot.
  ///
  /// - Returns: its work, whose release may run user code.
  mutating func remove(_ index: Int32) -> Slots.Work { slots.free(index) }

  /// The branch a member is in; `.none` for a root, or if there is none any more.
  func parent(of index: Int32) -> Token { slots[index].parent }

  /// The dispatch or share a member belongs to; -1 for cancelled work.
  func root(of index: Int32) -> Int32 { slots[index].root }

  /// The members of a branch, in the order in which they came.
  func members(of branch: Int32) -> [Int32] { siblings.members(of: slots[branch].children) }

  /// The first branch for which a condition holds, from a branch outwards.
  func branch(around branch: Token, where isMeant: (Int32) -> Bool) -> Int32? {
    var next = branch
    while slots.contains(next) {
      if isMeant(next.slot) { return next.slot }
      next = slots[next.slot].parent
    }
    return nil
  }

  /// How much has yet to settle in a branch, or to return in a cancelled tree.
  func outstanding(of branch: Int32) -> Int32 { slots[branch].outstanding }

  /// A branch does not settle until ``settlePart(of:)`` is called once more.
  mutating func hold(_ branch: Int32) { slots[branch].outstanding += 1 }

  /// A part of a branch has settled.
  ///
  /// - Returns: whether it was the last.
  mutating func settlePart(of branch: Int32) -> Bool {
    slots[branch].outstanding -= 1
    return slots[branch].outstanding == 0
  }

  /// Whether a branch waits for anything.
  func isHeld(_ branch: Int32) -> Bool { slots[branch].outstanding > 0 }

  /// The next part of a sequence. The position then moves on by one.
  mutating func nextPosition(of sequence: Int32) -> Int32 {
    defer { slots[sequence].position += 1 }
    return slots[sequence].position
  }

  /// The part of a sequence that starts next.
  func position(of sequence: Int32) -> Int32 { slots[sequence].position }

  /// Removes a member from the list of its branch. The branch does not settle because of that, and the member still
  /// refers to it.
  mutating func leaveBranch(_ index: Int32) {
    let parent = slots[index].parent
    guard slots.contains(parent) else { return }
    siblings.remove(index, from: &slots[parent.slot].children)
  }

  /// A member has no branch any more.
  mutating func forgetParent(of index: Int32) { slots[index].parent = .none }

  /// Adds work that is in no branch to a branch. The branch does not wait for the work because of that.
  mutating func adopt(_ index: Int32, by parent: Token) {
    slots[index].parent = parent
    siblings.append(index, to: &slots[parent.slot].children)
  }

  /// A run moves to the branch of work that has joined it.
  mutating func move(_ run: Int32, toBranchOf joiner: Int32) {
    slots[run].root = slots[joiner].root
    slots[run].waitsForReturn = slots[joiner].waitsForReturn || slots[run].keepsSlot
    adopt(run, by: slots[joiner].parent)
  }

  /// Work was cancelled, and stays until its closure has returned: it belongs to no branch and no root.
  mutating func detach(_ index: Int32) {
    slots[index].root = -1
    slots[index].parent = .none
  }

  /// A tree is cancelled: from now on it counts the closures that have not returned, and none is counted yet.
  mutating func beginCancelling(_ tree: Int32) {
    slots[tree].phase = .cancelling
    slots[tree].outstanding = 0
    slots[tree].children = Chain.List()
  }
}

// MARK: - Members

extension WorkTree {
  /// The phase of the work in a slot.
  func phase(of index: Int32) -> Slots.Phase { slots[index].phase }

  /// The work in a slot enters another phase.
  mutating func setPhase(_ phase: Slots.Phase, of index: Int32) { slots[index].phase = phase }

  /// Whether work is in its slot and its phase is `running`.
  func isActive(_ token: Token) -> Bool { slots.contains(token) && slots[token.slot].phase == .running }

  /// Where work is in the ``NameDirectory``: at its id, or in its scope.
  func place(of index: Int32) -> Int32 { slots[index].place }

  /// Work without an id is in a scope.
  mutating func setScope(_ place: Int32, of index: Int32) { slots[index].place = place }

  /// Work has an id, and is counted there.
  mutating func setID(_ place: Int32, of index: Int32, isExclusive: Bool) {
    slots[index].place = place
    slots[index].isNamed = true
    slots[index].keepsSlot = isExclusive
    if isExclusive { slots[index].waitsForReturn = true }
  }

  /// Whether work has an id, and is counted there.
  func isNamed(_ index: Int32) -> Bool { slots[index].isNamed }

  /// Whether work holds its slot under the overlap, once cancelled, until its closure has returned.
  func keepsSlot(_ index: Int32) -> Bool { slots[index].keepsSlot }

  /// A closure holds a slot under the overlap until it has returned.
  mutating func keepSlot(_ index: Int32) { slots[index].keepsSlot = true }

  /// Whether a run has left its slot and its `catch` closure executes.
  func isRecovering(_ index: Int32) -> Bool { slots[index].isRecovering }

  /// A run has left its slot for its `catch` closure.
  mutating func beginRecovery(of index: Int32) {
    slots[index].isRecovering = true
    slots[index].keepsSlot = false
  }

  /// Whether a sequence or tree around work waits for its closure to return; inherited from an exclusive tree.
  func waitsForReturn(_ index: Int32) -> Bool { slots[index].waitsForReturn }

  /// A sequence or tree around work waits for its closure to return.
  mutating func waitForReturn(_ index: Int32) { slots[index].waitsForReturn = true }

  /// Whether a run has a time modifier, so that ``TimedWork`` or ``RunAttempts`` may have an entry for it.
  func isTimed(_ index: Int32) -> Bool { slots[index].isTimed }

  /// A run has a time modifier.
  mutating func setTimed(_ index: Int32) { slots[index].isTimed = true }
}
