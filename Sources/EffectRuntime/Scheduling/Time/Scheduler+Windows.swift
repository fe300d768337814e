// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Debounce and throttle (rule C2): which of the runs of an id pass their window.
extension Scheduler {
  /// A run that arrives has a window. `true` if it passes the window at once; otherwise it waits or has been dropped.
  mutating func passWindow(
    _ window: RunTiming.Window, _ operation: any AnyOperation, _ id: EffectID, parent: Token
  ) -> Bool {
    let now = time.now()
    fireDueWindow(of: id, now)
    // Last: a run that was due may have opened a window without a length.
    forgetClosedWindows(now)
    let place = names.findOrMake(id)
    switch window {
    case .debounce(let duration, let maxWait):
      let debounce = time.debounce(at: place, now, for: duration, maxWait: maxWait)
      supersede(time.debounced(at: place))
      guard debounce.deadline > now else { return true }
      guard let index = wait(operation, isNamed: true, at: place, parent: parent) else { return false }
      if notes.isOn { note(index, .registered(.waiting(until: debounce.deadline))) }
      time.wait(workTree.token(index), for: debounce, at: place, id)
      workTree.setTimed(index)
      names.setWindow(true, at: place)
      return false
    case .throttle(let duration, let trailing):
      guard var throttle = time.throttle(at: place) else {
        guard duration > .zero else { return true }
        time.open(Throttle(at: now, for: duration), at: place, id)
        names.setWindow(true, at: place)
        return true
      }
      guard throttle.arrived(for: duration, trailing: trailing) == .wait else {
        discard(.run(operation), .dropped, in: parent)
        return false
      }
      supersede(time.throttled(at: place))
      guard let index = wait(operation, isNamed: true, at: place, parent: parent) else { return false }
      workTree.setTimed(index)
      if notes.isOn { note(index, .registered(.waiting(until: throttle.end))) }
      time.wait(index, for: throttle, at: place)
      return false
    }
  }

  /// The run that waits is dropped for a newer one.
  private mutating func supersede(_ index: Int32?) {
    guard let index else { return }
    endReason = .dropped
    cancelWork(index)
  }

  /// Forgets windows that have ended and that nothing waits for.
  mutating func forgetClosedWindows() {
    if time.hasUnawaitedWindows { forgetClosedWindows(time.now()) }
  }

  /// The same, when the time is known.
  mutating func forgetClosedWindows(_ now: Duration) {
    while let (place, isLast) = time.takeClosedWindow(dueBy: now) {
      if isLast { windowClosed(at: place) }
    }
  }

  /// A run that waits leaves its window, if it waits in one: it passes the window, or is dropped or cancelled. Returns
  /// whether it waited in one.
  @discardableResult
  mutating func leaveWindow(_ index: Int32) -> Bool {
    let place = workTree.place(of: index)
    switch time.leaveWindow(index, at: place) {
    case .none: return false
    case .open: break
    case .last: windowClosed(at: place)
    }
    return true
  }

  /// An id has no window any more.
  private mutating func windowClosed(at place: Int32) {
    names.setWindow(false, at: place)
    steps.append(.refill(place))
  }

  /// If time has passed since the store last checked its alarms, a run may be due: it continues before the run that
  /// arrives.
  private mutating func fireDueWindow(of id: EffectID, _ now: Duration) {
    guard time.hasWindows, let place = names.find(id) else { return }
    if let index = time.dueDebounce(at: place, now) {
      time.clearAlarm(of: index)
      goOnWaiting(index)
    }
    if let index = time.endDueThrottle(at: place, now) { passed(index) }
  }

  // MARK: - Cancelling

  /// A cancel resets the windows of what it names: the next run finds none (rule C2).
  mutating func closeWindows(of target: Cancellation) {
    guard time.hasWindows else { return }
    switch target {
    case .id(let id): closeWindow(of: names.find(id))
    case .ids(let ids): for place in names.find(ids) { closeWindow(of: place) }
    case .everything: for place in time.placesOfWindows { closeWindow(of: place) }
    case .scope(let scope):
      for place in windows(inside: names.find(scope)) { closeWindow(of: place) }
    case .matching(let predicate, let scope):
      for place in windows(inside: scope.map { names.find($0) } ?? NameDirectory.root) {
        if let id = time.windowID(at: place), predicate(id) { closeWindow(of: place) }
      }
    }
  }

  /// The windows inside a scope. The search begins at the scope, because there may be many other windows.
  private func windows(inside scope: Int32?) -> [Int32] {
    guard let scope else { return [] }
    return ([scope] + names.places(inside: scope)).filter { names.hasWindow(at: $0) }.sorted()
  }

  /// Closes the window of an id, if there is one.
  mutating func closeWindow(of place: Int32?) {
    guard let place, time.closeWindow(at: place) else { return }
    windowClosed(at: place)
  }
}
