// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

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
    steps.insert(.register(work, parent: parent, owners: owners(of: parent)), at: mark)
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
    names.add(index, isActive: admission == .start, at: place)
    if admission == .start {
      start(index)
    } else if waits.hasRuns {
      endCircle(through: index)
    }
  }

  /// Cancels or drops work, to make room for work that arrives.
  mutating func makeWay(for overlap: Overlap, at place: Int32) {
    inOrder { scheduler in
      // Decided again each time: a tree may contain other work of its id, which is cancelled with it.
      while let evicted = scheduler.names.evicted(for: overlap, at: place) {
        switch evicted {
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
    names.ended(index, at: place, isRecovering: workTree.isRecovering(index))
    steps.append(.refill(place))
  }
}
