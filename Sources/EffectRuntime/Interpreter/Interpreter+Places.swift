// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// What `Places` decided by counting is done here to the lists.
extension Interpreter {
  /// Work with an id arrives at its place.
  mutating func arrive(_ index: Int32, at place: Int32, _ overlap: Overlap) {
    slots[index].place = place
    slots[index].isNamed = true
    slots[index].keepsPlace = overlap.exclusive
    if overlap.exclusive { slots[index].waitsForReturn = true }
    let waiting = directory[place].counts.declared(overlap)
    startWaiting(waiting, at: place)
    let eviction = directory[place].counts.eviction(for: overlap)
    inOrder { interpreter in
      for _ in 0..<eviction.running { interpreter.cancelWork(interpreter.directory[place].live.first) }
      for _ in 0..<eviction.queued { interpreter.cancelWork(interpreter.directory[place].queue.first) }
    }
    switch directory[place].counts.admit(overlap) {
    case .start:
      peers.append(index, to: &directory[place].live)
      start(index)
    case .wait:
      peers.append(index, to: &directory[place].queue)
    case .drop:
      leaveBranch(index)
      // The branch is being interpreted and so is held: this cannot be its last part.
      slots[slots[index].parent.slot].outstanding -= 1
      free(index)
      directory.forgetIfEmpty(place)
    }
  }

  /// Starts those who wait, if there is room.
  mutating func refill(_ place: Int32) {
    let count = directory[place].counts.startQueued()
    startWaiting(count, at: place)
    directory.forgetIfEmpty(place)
  }

  private mutating func startWaiting(_ count: Int, at place: Int32) {
    guard count > 0 else { return }
    inOrder { interpreter in
      for _ in 0..<count {
        let index = interpreter.directory[place].queue.first
        interpreter.peers.remove(index, from: &interpreter.directory[place].queue)
        interpreter.peers.append(index, to: &interpreter.directory[place].live)
        interpreter.start(index)
      }
    }
  }

  /// Starts work that has got its place.
  private mutating func start(_ index: Int32) {
    switch slots[index].work {
    case .run:
      slots[index].phase = .starting
      commands.append(.start(slots.token(index)))
    case .tree(let tree):
      let token = slots.token(index)
      slots[index].phase = .running
      // Held by one until its content has been interpreted. Noted as one step, so that trees start in order.
      slots[index].outstanding = 1
      steps.append(.open(token, tree.content))
    case .none, .sequence, .dispatch, .joined:
      break
    }
  }

  /// A named piece of work leaves its place because it ended.
  mutating func leavePlace(_ index: Int32) {
    let place = slots[index].place
    peers.remove(index, from: &directory[place].live)
    directory[place].counts.runningEnded()
    steps.append(.refill(place))
  }
}
