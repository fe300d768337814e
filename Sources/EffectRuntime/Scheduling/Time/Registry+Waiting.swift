// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Runs that wait for their time (rule C2). They hold no place; `.restart` counts them all the same.
extension Registry {
  /// A run with time modifiers arrives. `true` if it waits for its time or has been dropped; otherwise it goes on to its
  /// place like any other.
  mutating func isPostponed(_ operation: any AnyOperation, _ timing: RunTiming, parent: Token) -> Bool {
    if let refusal = timing.refusal {
      refuse(operation, because: refusal.scoped(as: operation.scope), in: parent)
      return true
    }
    if let window = timing.window {
      guard let id = operation.id else {
        refuse(operation, because: MissingID(modifier: window), in: parent)
        return true
      }
      let owners = owners(of: parent)
      guard passWindow(window, operation, id, parent: parent) else { return true }
      // Who was due before may have cancelled the tree this is a part of.
      guard isOpen(parent) else {
        discard(.run(operation), book.reason, for: owners)
        steps.append(.refill(directory.findOrMake(id)))
        return true
      }
    }
    guard let delay = timing.delay, delay > .zero else { return false }
    let place = (operation.id ?? operation.scope).map { directory.findOrMake($0) } ?? Directory.root
    if let index = wait(operation, at: place, parent: parent) {
      if notes.isOn { note(index, .registered(.waiting(until: self.timing.now().adding(delay)))) }
      setAlarm(after: delay, of: index, for: .start(slots.token(index)))
    }
    return true
  }

  /// Reports a run that is a mistake, and does not start it.
  private mutating func refuse(_ operation: any AnyOperation, because error: any Error, in parent: Token) {
    commands.append(.report(EffectFailure(error: error, run: EffectRun(operation))))
    discard(.run(operation), .failed(error), in: parent)
  }

  /// Adds a run that waits; `nil` if it cannot, because those it replaces took it with them.
  mutating func wait(_ operation: any AnyOperation, at place: Int32, parent: Token) -> Int32? {
    let (overlap, owners) = (operation.overlap, owners(of: parent))
    let isNamed = operation.id != nil
    if isNamed, let member = waitsAsMember(operation, at: place, parent: parent) { return member }
    if isNamed {
      noteArrival(of: .run(operation), at: place)
      noteOverlap(of: .run(operation), overlap, at: place)
    }
    if isNamed, overlap.kind == .restart {
      // Decided on arrival. Whoever starts because the limit rose needs no place before this one.
      startWaiting(directory[place].counts.declared(overlap), at: place)
      makeWay(for: overlap, at: place)
    }
    guard isOpen(parent) else {
      discard(.run(operation), book.reason, for: owners)
      steps.append(.refill(place))
      return nil
    }
    let index = add(.run(operation), phase: .waiting, to: parent)
    slots[index].place = place
    guard isNamed else {
      peers.append(index, to: &directory[place].anonymous)
      return index
    }
    slots[index].isNamed = true
    slots[index].keepsPlace = overlap.exclusive
    if overlap.exclusive { slots[index].waitsForReturn = true }
    lineArrives(index, overlap.kind)
    peers.append(index, to: &directory[place].waiting)
    directory[place].counts.waitingArrived()
    return index
  }

  /// The moment of a run that waits has come.
  mutating func goOnWaiting(_ index: Int32) {
    let mayHaveWindow = slots[index].isNamed || slots[index].isMember
    if mayHaveWindow, leaveWindow(index) { passed(index) } else { delayed(index) }
  }

  /// A run that has waited gets through its window: next comes the delay.
  mutating func passed(_ index: Int32) {
    guard case .run(let operation) = slots[index].work else { return }
    guard let delay = operation.timing?.delay, delay > .zero else { return delayed(index) }
    setAlarm(after: delay, of: index, for: .start(slots.token(index)))
  }

  /// The delay of a run that waits is over: next comes its place.
  mutating func delayed(_ index: Int32) {
    guard case .run(let operation) = slots[index].work else { return }
    guard slots[index].isNamed else {
      slots[index].phase = .starting
      commands.append(.start(slots.token(index)))
      return
    }
    // `.restart` has been decided, and what came later must not be cancelled by what came before.
    guard operation.overlap.kind != .restart else { return admit(index) }
    let place = slots[index].place
    let starting = directory[place].counts.declared(operation.overlap)
    let mark = steps.count
    startWaiting(starting, at: place)
    // Trees that have waited open first.
    if steps.count > mark { steps.insert(.admit(slots.token(index)), at: mark) } else { admit(index) }
  }

  /// The overlap of a run that has waited decides about it.
  mutating func admit(_ index: Int32) {
    guard case .run(let operation) = slots[index].work else { return }
    let (place, overlap, token) = (slots[index].place, operation.overlap, slots.token(index))
    if overlap.kind == .join, let shared = newest(at: place, input: operation.input) {
      if notes.isOn, let other = traced(shared) { note(index, .joined(other)) }
      joinRun(shared, as: slots[index].parent)
      return settleWaiting(index)
    }
    if overlap.kind != .restart { makeWay(for: overlap, at: place) }
    // That may have cancelled the tree this is a part of.
    guard slots.contains(token), slots[index].phase == .waiting else { return }
    switch directory[place].counts.admit(overlap) {
    case .drop:
      statusWillChange(index)
      record(.dropped, at: place)
      noteEnd(index, .dropped)
      settleWaiting(index)
    case .start:
      leaveWaiting(index)
      peers.append(index, to: &directory[place].live)
      start(index)
    case .wait:
      leaveWaiting(index)
      slots[index].phase = .queued
      if notes.isOn { note(index, .registered(.queued)) }
      peers.append(index, to: &directory[place].queue)
      if !runWaits.isEmpty { endCircle(through: index) }
    }
  }

  /// A run that waits leaves the list of those.
  private mutating func leaveWaiting(_ index: Int32) {
    let place = slots[index].place
    statusWillChange(index)
    peers.remove(index, from: &directory[place].waiting)
    directory[place].counts.waitingLeft()
  }

  /// A run that waits settles: others do its work, or nobody does.
  private mutating func settleWaiting(_ index: Int32) {
    if directory[slots[index].place].isMixed { lineLeft(index) }
    leaveBranch(index)
    leaveWaiting(index)
    steps.append(.settled(slots[index].parent))
    steps.append(.refill(slots[index].place))
    free(index)
  }

  /// A run that waits is cancelled, or dropped for a newer one.
  mutating func cancelWaiting(_ index: Int32) {
    if slots[index].isNamed {
      statusWillChange(index)
      leaveWindow(index)
      record(book.reason, at: slots[index].place)
      if directory[slots[index].place].isMixed { lineLeft(index) }
      leaveWaiting(index)
      steps.append(.refill(slots[index].place))
    } else {
      if slots[index].isMember { leaveWindow(index) }
      leaveScope(index)
    }
    free(index)
  }

  /// Who waits for its time, and until when: for a window or delay, or for the next attempt.
  var postponed: [(token: Token, until: Duration)] {
    timing.alarms.all.compactMap { alarm, purpose in
      switch purpose {
      case .start(let token), .attempt(let token): (token, alarm.deadline)
      case .windowEnd(let place): timing.windows[place].map { (slots.token($0.throttled), alarm.deadline) }
      case .limit: nil
      }
    }
  }
}
