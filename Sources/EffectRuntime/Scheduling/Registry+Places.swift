// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// What `OverlapCounts` decided by counting is done here to the lists.
extension Registry {
  /// Work that arrives declares its overlap, before it is decided about itself. `false` if trees that have waited open
  /// first: then the effect comes again when they have.
  mutating func declare(_ overlap: Overlap, at place: Int32, of work: Slots.Work, parent: Token) -> Bool {
    noteArrival(of: work, at: place)
    noteOverlap(of: work, overlap, at: place)
    let waiting = directory[place].counts.declared(overlap)
    let mark = steps.count
    startWaiting(waiting, at: place)
    guard steps.count > mark else { return true }
    steps.insert(.register(work, parent: parent, owners: owners(of: parent)), at: mark)
    return false
  }

  /// Work with an id arrives at its place, to be a part of a branch.
  mutating func arrive(_ work: Slots.Work, _ overlap: Overlap, at place: Int32, parent: Token) {
    let owners = owners(of: parent)
    makeWay(for: overlap, at: place)
    // That may have cancelled the tree this is a part of, and so this.
    guard isOpen(parent) else { return discard(work, book.reason, for: owners) }
    let admission = directory[place].counts.admit(overlap)
    guard admission != .drop else {
      record(.dropped, at: place)
      discard(work, .dropped, for: owners)
      directory.forgetIfEmpty(place)
      return
    }
    let index = add(work, phase: .queued, to: parent)
    slots[index].place = place
    slots[index].isNamed = true
    slots[index].keepsPlace = overlap.exclusive
    if overlap.exclusive { slots[index].waitsForReturn = true }
    lineArrives(index, overlap.kind)
    if notes.isOn { note(index, .registered(admission == .start ? .starting : .queued)) }
    if admission == .start {
      peers.append(index, to: &directory[place].live)
      start(index)
    } else {
      peers.append(index, to: &directory[place].queue)
      if !runWaits.isEmpty { endCircle(through: index) }
    }
  }

  /// Takes away whoever has to go for work that arrives.
  mutating func makeWay(for overlap: Overlap, at place: Int32) {
    inOrder { registry in
      // Asked anew each time: a tree may take others of its id with it.
      while true {
        let eviction = registry.directory[place].counts.eviction(for: overlap)
        if eviction.running > 0 {
          registry.book.reason = .cancelled(.replaced)
          registry.cancelWork(registry.directory[place].live.first)
        } else if eviction.queued > 0 {
          registry.book.reason = .dropped
          registry.cancelWork(registry.directory[place].queue.first)
        } else if eviction.waiting > 0 {
          registry.book.reason = .dropped
          registry.cancelWork(registry.directory[place].waiting.first)
        } else {
          return
        }
      }
    }
  }

  /// Starts those who wait, if there is room.
  mutating func refill(_ place: Int32) {
    if !directory[place].queue.isEmpty { statusWillChange(directory[place].queue.first) }
    let count = directory[place].counts.startQueued()
    startWaiting(count, at: place)
    directory.forgetIfEmpty(place)
  }

  mutating func startWaiting(_ count: Int, at place: Int32) {
    guard count > 0 else { return }
    inOrder { registry in
      let mark = registry.steps.count
      for _ in 0..<count {
        let index = registry.directory[place].queue.first
        registry.peers.remove(index, from: &registry.directory[place].queue)
        registry.peers.append(index, to: &registry.directory[place].live)
        registry.start(index, isBehindTree: registry.steps.count > mark)
      }
    }
  }

  /// Starts work that has got its place.
  mutating func start(_ index: Int32, isBehindTree: Bool = false) {
    switch slots[index].work {
    case .run:
      slots[index].phase = .starting
      let token = slots.token(index)
      if isBehindTree { steps.append(.ask(token)) } else { commands.append(.start(token)) }
    case .tree(let node, _):
      let token = slots.token(index)
      slots[index].phase = .running
      directory[slots[index].place].openTrees += 1
      // Held by one until its content has been interpreted. Noted as one step, so that trees start in order.
      slots[index].outstanding = 1
      steps.append(.open(token, node))
    case .none, .sequence, .dispatch, .share, .joined:
      break
    }
  }

  /// A named piece of work leaves its place because it ended.
  mutating func leavePlace(_ index: Int32, _ outcome: EffectOutcome) {
    let place = slots[index].place
    statusWillChange(index)
    record(outcome, at: place)
    peers.remove(index, from: &directory[place].live)
    if directory[place].isMixed { lineLeft(index) }
    directory[place].counts.runningEnded()
    steps.append(.refill(place))
  }
}
