// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Scheduler {
  /// Takes step after step, up to the next part of an effect that is to be interpreted; `nil` when the input at hand
  /// has been handled.
  @usableFromInline
  mutating func nextPart() -> Part? {
    while let step = steps.next() {
      switch step {
      case .part(let part):
        if isOpen(part.parent) { return part }
      case .parts(let rest):
        if Int(rest.index) + 1 < rest.node.count {
          steps.append(.parts(Part(node: rest.node, index: rest.index + 1, parent: rest.parent)))
        }
        // The tree this is a part of may have been cancelled by a part to the left.
        if isOpen(rest.parent) { return rest }
      case .open(let tree, let node):
        steps.append(.settled(tree))
        if isOpen(tree) { return Part(node: node, index: 0, parent: tree) }
      case .register(let work, let parent, let root):
        steps.append(.settled(root))
        if isOpen(parent) { register(work, parent: parent) } else { discard(work, endReason, in: root) }
      case .ask(let token):
        if workTree.contains(token) { startClosure(of: token.slot) }
      case .arrive(let token):
        if workTree.contains(token) { delayed(token.slot) }
      case .settled(let branch):
        partSettled(of: branch)
      case .refill(let place):
        refill(place)
      }
    }
    return nil
  }

  /// Adds steps, which are taken in the order in which they are added, and before all earlier steps.
  mutating func inOrder(_ note: (inout Self) -> Void) {
    let mark = steps.mark
    note(&self)
    steps.reverse(from: mark)
  }

  /// Whether further parts of a branch may be interpreted.
  func isOpen(_ branch: Token) -> Bool {
    if branch == .turn { return true }
    return workTree.isActive(branch)
  }

  /// Counts an action that joins the turn; returns the branch that must still be active when it is reduced.
  @usableFromInline
  mutating func followUp(in parent: Token) -> Token {
    guard parent != .turn, parent != turn.root else { return .none }
    workTree.hold(parent.slot)
    return parent
  }

  // MARK: - Members

  /// Adds a member to a branch.
  mutating func add(_ work: Slots.Work, phase: Slots.Phase, to parent: Token) -> Int32 {
    workTree.add(work, phase: phase, to: parent == .turn ? dispatch() : parent)
  }

  /// Keeps the dispatch or share around a branch from settling, until a `settled` step; the open turn keeps its own.
  private mutating func holdRoot(of branch: Token) -> Token {
    guard branch != .turn else { return .none }
    let root = workTree.root(of: branch.slot)
    workTree.hold(root)
    return workTree.token(root)
  }

  private func isRefusing(_ parent: Token) -> Bool {
    if parent == .turn { return turn.root == .none ? turn.isRefusing : workTree.isRefusing(turn.root.slot) }
    return workTree.isRefusing(workTree.root(of: parent.slot))
  }

  /// Work arrives whose dispatch was cancelled, or all work: it counts as cancelled at once.
  private mutating func refuse(_ work: Slots.Work, in parent: Token) {
    let reason: EffectOutcome.CancelReason = isRefusing(parent) ? .byDispatch : .shutdown
    if reason == .shutdown { for waiter in waiters(ofBranch: parent) { outputs.append(.cutShort(waiter)) } }
    discard(work, .cancelled(reason), in: parent)
  }

  private mutating func register(_ work: Slots.Work, parent: Token) {
    switch work {
    case .run(let operation): arrive(operation, parent: parent)
    case .tree(let node, let label): register(node, label, parent: parent)
    case .none, .sequence, .dispatch, .share, .joined: break
    }
  }

  /// A run arrives, as a part of a branch. If it has no time modifier that makes it wait, its overlap decides about it.
  @usableFromInline
  mutating func register(_ operation: any AnyOperation, parent: Token) {
    guard !isRefusing(parent), !isCutShort else { return refuse(.run(operation), in: parent) }
    if let timing = operation.timing, takeIfTimed(operation, timing, parent: parent) { return }
    arrive(operation, parent: parent)
  }

  /// A run whose time has come arrives at its id or scope.
  private mutating func arrive(_ operation: any AnyOperation, parent: Token) {
    guard let id = operation.id else {
      return arrive(operation, inScope: names.findOrMake(scope: operation.scope), parent: parent)
    }
    let place = names.findOrMake(id)
    if reportIfInsideOwnTree(.run(operation), at: place, parent: parent) {
      return arrive(operation, inScope: names.scope(of: place), parent: parent)
    }
    let overlap = operation.overlap
    let shared = overlap.kind == .join ? newest(at: place, input: operation.input) : nil
    // A run that joins declares its limit like any other.
    guard declare(overlap, at: place, of: .run(operation), parent: parent) else { return }
    guard let shared else { return arrive(.run(operation), overlap, at: place, parent: parent) }
    if workTree.token(shared) == sender { report(.ownCause, of: .run(operation), with: shared) }
    joinRun(shared, as: parent)
    if notes.isOn, let other = traced(shared) { note(.run(operation), .joined(other)) }
    release(.run(operation))
  }

  /// A run without an id starts at once.
  private mutating func arrive(_ operation: any AnyOperation, inScope place: Int32, parent: Token) {
    let index = add(.run(operation), phase: .starting, to: parent)
    workTree.setScope(place, of: index)
    names.addUnnamed(index, at: place)
    if notes.isOn { note(index, .registered(.starting)) }
    startClosure(of: index)
  }

  /// A tree under an id arrives, as a part of a branch: its overlap decides about it as a whole.
  @usableFromInline
  mutating func register(_ node: EffectNode, _ label: TreeLabel, parent: Token) {
    guard !isRefusing(parent), !isCutShort else { return refuse(.tree(node, label), in: parent) }
    let place = names.findOrMake(label.id)
    if reportIfInsideOwnTree(.tree(node, label), at: place, parent: parent) {
      steps.append(.part(Part(node: node, index: 0, parent: parent)))
      return release(.tree(node, label))
    }
    if label.overlap.kind == .join { report(.joinedTree, of: .tree(node, label), with: nil) }
    guard declare(label.overlap, at: place, of: .tree(node, label), parent: parent) else { return }
    arrive(.tree(node, label), label.overlap, at: place, parent: parent)
  }

  // MARK: - Branches

  /// The parts of a merge belong to the branch that the merge is in.
  @usableFromInline
  mutating func beginMerge(_ node: EffectNode, parent: Token) {
    steps.append(.parts(Part(node: node, index: 0, parent: parent)))
  }

  /// Adds a sequence to a branch, and starts its first part.
  @usableFromInline
  mutating func beginSequence(_ node: EffectNode, parent: Token) {
    // In a cancelled dispatch too: its runs never start and so settle at once, its sends belong to the turn (rule L2).
    let index = add(.sequence(node), phase: .running, to: parent)
    let place = names.findOrMake(scope: node.scope)
    workTree.setScope(place, of: index)
    names.addUnnamed(index, at: place)
    advance(index)
  }

  /// Starts the next part of a sequence, whose earlier parts have all settled.
  mutating func advance(_ index: Int32) {
    guard case .sequence(let node) = workTree[index] else { return }
    let position = workTree.nextPosition(of: index)
    guard Int(position) == node.count - 1 else {
      // Held while the part is interpreted. Otherwise a part that settles meanwhile would start the next too early.
      let token = workTree.token(index)
      workTree.hold(index)
      steps.append(.settled(token))
      steps.append(.part(Part(node: node, index: position, parent: token)))
      return
    }
    // The last part needs no sequence around it; so sequences nested to the right take no memory.
    let parent = workTree.parent(of: index)
    workTree.leaveBranch(index)
    leaveScope(index)
    free(index)
    steps.append(.settled(parent))
    steps.append(.part(Part(node: node, index: position, parent: parent)))
  }

  /// Removes work without an id from its scope.
  mutating func leaveScope(_ index: Int32) {
    names.removeUnnamed(index, at: workTree.place(of: index))
  }
}

// What `OverlapCounts` decided by counting is applied to the lists here.
extension Scheduler {
  /// Work that arrives declares its overlap, before the overlap decides about the work itself. `false` if trees that
  /// have waited open first; then the work arrives again after them.
  mutating func declare(_ overlap: Overlap, at place: Int32, of work: Slots.Work, parent: Token) -> Bool {
    statusWillChange(of: work)
    noteOverlap(of: work, overlap, at: place)
    let count = names.declare(overlap, at: place)
    let mark = steps.mark
    startQueued(count, at: place)
    guard steps.mark > mark else { return true }
    steps.insert(.register(work, parent: parent, root: holdRoot(of: parent)), at: mark)
    return false
  }

  /// Work with an id arrives at its place, to be a part of a branch.
  mutating func arrive(_ work: Slots.Work, _ overlap: Overlap, at place: Int32, parent: Token) {
    let owners = owners(of: parent)
    makeWay(for: overlap, at: place)
    // That may have cancelled the tree that this work is a part of, and so this work.
    guard isOpen(parent) else { return discard(work, endReason, for: owners) }
    let admission = names.admit(overlap, at: place)
    guard admission != .drop else {
      noteDropped(work, at: place)
      discard(work, .dropped, for: owners)
      names.forgetIfEmpty(place)
      return
    }
    let index = add(work, phase: .queued, to: parent)
    workTree.setID(place, of: index, isExclusive: overlap.exclusive)
    lineArrives(index, overlap.name)
    if notes.isOn { note(index, .registered(admission == .start ? .starting : .queued)) }
    addToPlace(index, isActive: admission == .start, at: place)
    if admission == .start {
      start(index)
    } else if waits.hasRuns {
      endCircle(through: index)
    }
  }

  /// Work that was admitted gets its slot, or is queued for one. Others may join it if it is a run of `.join`.
  mutating func addToPlace(_ index: Int32, isActive: Bool, at place: Int32) {
    names.add(index, isActive: isActive, at: place)
    guard case .run(let operation) = workTree[index], operation.overlap.kind == .join else { return }
    runsByInput.add(index, at: place, input: operation.input)
  }

  /// Cancels or drops work, to make room for work that arrives.
  mutating func makeWay(for overlap: Overlap, at place: Int32) {
    inOrder { scheduler in
      // Decided again each time: a tree may contain other work of its id, which is cancelled with it.
      while let evicted = scheduler.names.evicted(for: overlap, at: place) {
        switch evicted {
        case .active(let index) where scheduler.workTree.isRecovering(index):
          scheduler.names.pass(index, at: place)
        case .active(let index):
          scheduler.endReason = .cancelled(.replaced)
          scheduler.cancelWork(index)
        case .queued(let index), .waiting(let index):
          scheduler.endReason = .dropped
          scheduler.cancelWork(index)
        }
      }
    }
  }

  /// Starts queued work, if there are free slots.
  mutating func refill(_ place: Int32) {
    if let first = names.first(.queued, at: place) { statusWillChange(first) }
    startQueued(names.refill(place), at: place)
    names.forgetIfEmpty(place)
  }

  /// Starts queued work, the longest queued first.
  mutating func startQueued(_ count: Int, at place: Int32) {
    guard count > 0 else { return }
    inOrder { scheduler in
      let mark = scheduler.steps.mark
      for _ in 0..<count {
        scheduler.start(scheduler.names.startFirstQueued(at: place), isBehindTree: scheduler.steps.mark > mark)
      }
    }
  }

  /// Starts work that has got its slot.
  mutating func start(_ index: Int32, isBehindTree: Bool = false) {
    switch workTree[index] {
    case .run:
      workTree.setPhase(.starting, of: index)
      let token = workTree.token(index)
      if isBehindTree { steps.append(.ask(token)) } else { startClosure(of: index) }
    case .tree(let node, _):
      let token = workTree.token(index)
      workTree.setPhase(.running, of: index)
      names.treeOpened(at: workTree.place(of: index))
      // Held until its content has been interpreted. That is one step, so that trees start in order.
      workTree.hold(index)
      steps.append(.open(token, node))
    case .none, .sequence, .dispatch, .share, .joined:
      break
    }
  }

  /// Work with an id leaves its place because it ended.
  mutating func leavePlace(_ index: Int32) {
    let place = workTree.place(of: index)
    statusWillChange(index)
    if names.isMixed(at: place) { lineLeft(index) }
    runsByInput.remove(index)
    names.ended(index, at: place, isRecovering: workTree.isRecovering(index))
    steps.append(.refill(place))
  }
}
