// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Runs that wait for their time (rule C4). They hold no slot; `.restart` counts them nevertheless.
extension Scheduler {
  /// A run with time modifiers arrives. `true` if it waits for its time, was dropped or was refused; otherwise its
  /// overlap decides, as for any other run.
  mutating func takeIfTimed(_ operation: any AnyOperation, _ timing: RunTiming, parent: Token) -> Bool {
    if let refusal = timing.refusal {
      refuse(operation, because: refusal.scoped(as: operation.scope), in: parent, isReported: !turn.isLate)
      return true
    }
    let id = operation.id.flatMap { reportIfInsideOwnTree(operation, $0, parent: parent) ? nil : $0 }
    if let window = timing.window {
      guard let id else {
        refuse(operation, because: MissingID(modifier: window), in: parent)
        return true
      }
      guard passWindow(window, operation, id, parent: parent) else { return true }
    }
    guard let delay = timing.delay, delay > .zero else { return false }
    let scope = names.findOrMake(scope: operation.id ?? operation.scope)
    let place = operation.id == nil || id != nil ? scope : names.scope(of: scope)
    if let index = wait(operation, isNamed: id != nil, at: place, parent: parent) {
      if notes.isOn { note(index, .registered(.waiting(until: time.now().end(ofWaiting: delay)))) }
      setAlarm(after: delay, of: index, for: .start(workTree.token(index)))
    }
    return true
  }

  private mutating func reportIfInsideOwnTree(_ operation: any AnyOperation, _ id: EffectID, parent: Token) -> Bool {
    guard let place = names.find(id) else { return false }
    return reportIfInsideOwnTree(.run(operation), at: place, parent: parent)
  }

  /// Does not start a run that is a mistake, and reports it.
  private mutating func refuse(
    _ operation: any AnyOperation, because error: any Error, in parent: Token, isReported: Bool = true
  ) {
    if isReported { outputs.append(.report(EffectFailure(error: error, run: EffectRun(operation)))) }
    discard(.run(operation), .failed(error), in: parent)
  }

  /// Adds a run that waits; `nil` if it was cancelled together with the runs that it replaces.
  mutating func wait(_ operation: any AnyOperation, isNamed: Bool, at place: Int32, parent: Token) -> Int32? {
    let (overlap, owners) = (operation.overlap, owners(of: parent))
    if isNamed {
      statusWillChange(of: .run(operation))
      noteOverlap(of: .run(operation), overlap, at: place)
    }
    if isNamed, overlap.kind == .restart {
      // Decided on arrival. Work that starts because the limit has risen need not come before this run.
      startQueued(names.declare(overlap, at: place), at: place)
      makeWay(for: overlap, at: place)
    }
    guard isOpen(parent) else {
      discard(.run(operation), endReason, for: owners)
      steps.append(.refill(place))
      return nil
    }
    let index = add(.run(operation), phase: .waiting, to: parent)
    guard isNamed else {
      workTree.setScope(place, of: index)
      names.addUnnamed(index, at: place)
      return index
    }
    workTree.setID(place, of: index, isExclusive: overlap.exclusive)
    lineArrives(index, overlap.name)
    names.addWaiting(index, at: place)
    return index
  }

  /// The moment of a run that waits has come.
  mutating func goOnWaiting(_ index: Int32) {
    if workTree.isNamed(index), leaveWindow(index) { passed(index) } else { delayed(index) }
  }

  /// A run that has waited passes its window: next comes the delay.
  mutating func passed(_ index: Int32) {
    guard case .run(let operation) = workTree[index] else { return }
    guard let delay = operation.timing?.delay, delay > .zero else { return delayed(index) }
    setAlarm(after: delay, of: index, for: .start(workTree.token(index)))
  }

  /// The delay of a run that waits is over: next comes its slot.
  mutating func delayed(_ index: Int32) {
    guard case .run(let operation) = workTree[index] else { return }
    guard workTree.isNamed(index) else {
      workTree.setPhase(.starting, of: index)
      startClosure(of: index)
      return
    }
    // `.restart` was decided on arrival: an earlier run must not cancel a later one.
    guard operation.overlap.kind != .restart else { return admit(index) }
    let place = workTree.place(of: index)
    let count = names.declare(operation.overlap, at: place)
    let mark = steps.mark
    startQueued(count, at: place)
    // Trees that have waited open first. Work in them can declare another limit, so this run arrives again after them.
    if steps.mark > mark { steps.insert(.arrive(workTree.token(index)), at: mark) } else { admit(index) }
  }

  /// The overlap of a run that has waited decides about it.
  mutating func admit(_ index: Int32) {
    guard case .run(let operation) = workTree[index] else { return }
    let (place, overlap, token) = (workTree.place(of: index), operation.overlap, workTree.token(index))
    if overlap.kind == .join, let shared = newest(at: place, input: operation.input) {
      if notes.isOn, let other = traced(shared) { note(index, .joined(other)) }
      joinRun(shared, as: workTree.parent(of: index))
      return settleWaiting(index)
    }
    if overlap.kind != .restart { makeWay(for: overlap, at: place) }
    // That may have cancelled the tree that this run is a part of.
    guard workTree.contains(token), workTree.phase(of: index) == .waiting else { return }
    switch names.admit(overlap, at: place) {
    case .drop:
      noteEnd(index, .dropped)
      settleWaiting(index)
    case .start:
      leaveWaiting(index)
      addToPlace(index, isActive: true, at: place)
      start(index)
    case .queue:
      leaveWaiting(index)
      workTree.setPhase(.queued, of: index)
      if notes.isOn { note(index, .registered(.queued)) }
      addToPlace(index, isActive: false, at: place)
      if waits.hasRuns { endCircle(through: index) }
    }
  }

  /// A run that waits leaves the list of waiting runs.
  private mutating func leaveWaiting(_ index: Int32) {
    let place = workTree.place(of: index)
    statusWillChange(index)
    names.removeWaiting(index, at: place)
  }

  /// A run that waits settles without a start: it has joined another run, or is dropped.
  private mutating func settleWaiting(_ index: Int32) {
    if names.isMixed(at: workTree.place(of: index)) { lineLeft(index) }
    workTree.leaveBranch(index)
    leaveWaiting(index)
    steps.append(.settled(workTree.parent(of: index)))
    steps.append(.refill(workTree.place(of: index)))
    free(index)
  }

  /// A run that waits is cancelled, or dropped for a newer one.
  mutating func cancelWaiting(_ index: Int32) {
    if workTree.isNamed(index) {
      leaveWindow(index)
      if names.isMixed(at: workTree.place(of: index)) { lineLeft(index) }
      leaveWaiting(index)
      steps.append(.refill(workTree.place(of: index)))
    } else {
      leaveScope(index)
    }
    free(index)
  }
}
