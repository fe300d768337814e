// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Debounce and throttle (rule C2): which of the runs of an id get through.
extension Registry {
  /// A run that arrives comes to its window. `true` if it gets through at once; otherwise it waits or has been dropped.
  mutating func passWindow(
    _ window: RunTiming.Window, _ operation: any AnyOperation, _ id: EffectID, parent: Token
  ) -> Bool {
    let now = timing.now()
    forgetClosedWindows(now)
    fireDueWindow(of: id, now)
    let place = directory.findOrMake(id)
    switch window {
    case .debounce(let duration, let maxWait):
      var debounce = timing.windows[place]?.debounce ?? Debounce(at: now, for: duration, maxWait: maxWait)
      debounce.arrived(at: now, for: duration, maxWait: maxWait)
      supersede(timing.windows[place]?.debounced)
      guard debounce.deadline > now else { return true }
      guard let index = wait(operation, at: place, parent: parent) else { return false }
      if notes.isOn { note(index, .registered(.waiting(until: debounce.deadline))) }
      setAlarm(Alarm(deadline: debounce.deadline, number: timing.number()), of: index, for: .start(slots.token(index)))
      open(place, id) { window in
        window.debounce = debounce
        window.debounced = index
      }
      return false
    case .throttle(let duration, let trailing):
      guard var throttle = timing.windows[place]?.throttle else {
        if duration > .zero { openThrottle(Throttle(at: now, for: duration), at: place, id) }
        return true
      }
      guard throttle.arrived(for: duration, trailing: trailing) == .wait else {
        if tree(at: place, around: parent) == nil {
          noteArrival(of: .run(operation), at: place)
          record(.dropped, at: place)
        }
        discard(.run(operation), .dropped, in: parent)
        return false
      }
      supersede(timing.windows[place]?.throttled)
      guard let index = wait(operation, at: place, parent: parent) else { return false }
      slots[index].isTimed = true
      if notes.isOn { note(index, .registered(.waiting(until: throttle.end))) }
      timing.windows[place]?.throttle = throttle
      timing.windows[place]?.throttled = index
      awaitEnd(at: place, throttle)
      return false
    }
  }

  /// The one that waits gives its place to a newer one.
  private mutating func supersede(_ index: Int32?) {
    guard let index, index >= 0 else { return }
    book.reason = .dropped
    cancelWork(index)
  }

  private mutating func open(_ place: Int32, _ id: EffectID, _ change: (inout Timing.Window) -> Void) {
    change(&timing.windows[place, default: Timing.Window(id: id)])
    directory[place].hasWindow = true
  }

  // MARK: - Throttle

  private mutating func openThrottle(_ throttle: Throttle, at place: Int32, _ id: EffectID) {
    let number = timing.number()
    timing.closings.set(Alarm(deadline: throttle.end, number: number), for: place)
    open(place, id) { window in
      window.throttle = throttle
      window.number = number
    }
    noteAlarms()
  }

  /// The end of the window becomes a moment at which something happens, in the order in which the window was opened.
  private mutating func awaitEnd(at place: Int32, _ throttle: Throttle) {
    guard let number = timing.windows[place]?.number, timing.closings.cancel(number) != nil else { return }
    timing.alarms.set(Alarm(deadline: throttle.end, number: number), for: .windowEnd(place))
    noteAlarms()
  }

  /// Nobody waits for the end of the window any more.
  private mutating func awaitNoEnd(at place: Int32, _ throttle: Throttle) {
    guard let number = timing.windows[place]?.number, timing.alarms.cancel(number) != nil else { return }
    timing.closings.set(Alarm(deadline: throttle.end, number: number), for: place)
    noteAlarms()
  }

  /// The window ends and the one that waits gets through: the next one opens.
  mutating func windowEnded(at place: Int32, _ now: Duration) {
    guard let window = timing.windows[place], var throttle = window.throttle, window.throttled >= 0 else { return }
    throttle.ended(at: now)
    timing.windows[place]?.throttled = -1
    openThrottle(throttle, at: place, window.id)
    passed(window.throttled)
  }

  mutating func forgetClosedWindows(_ now: Duration) {
    while let place = timing.closings.takeFirst(dueBy: now) {
      timing.windows[place]?.throttle = nil
      closeIfEmpty(place)
      noteAlarms()
    }
  }

  // MARK: - Both

  /// A run that waits leaves its window, if it waits in one: it gets through, or is dropped or cancelled. Answers whether
  /// it did.
  @discardableResult
  mutating func leaveWindow(_ index: Int32) -> Bool {
    let place = slots[index].place
    guard let window = timing.windows[place] else { return false }
    if window.debounced == index {
      timing.windows[place]?.debounced = -1
      timing.windows[place]?.debounce = nil
    } else if window.throttled == index, var throttle = window.throttle {
      timing.windows[place]?.throttled = -1
      throttle.waiterLeft()
      timing.windows[place]?.throttle = throttle
      awaitNoEnd(at: place, throttle)
    } else {
      return false
    }
    closeIfEmpty(place)
    return true
  }

  private mutating func closeIfEmpty(_ place: Int32) {
    guard timing.windows[place]?.isEmpty == true else { return }
    timing.windows[place] = nil
    directory[place].hasWindow = false
    steps.append(.refill(place))
  }

  /// Where time has passed since the store last looked at its alarms: the one that is due goes before one that arrives.
  private mutating func fireDueWindow(of id: EffectID, _ now: Duration) {
    guard !timing.windows.isEmpty, let place = directory.find(id), let window = timing.windows[place] else { return }
    if let debounce = window.debounce, debounce.deadline <= now {
      clearAlarm(of: window.debounced)
      goOnWaiting(window.debounced)
    }
    if let throttle = window.throttle, throttle.end <= now, window.throttled >= 0 {
      timing.alarms.cancel(window.number)
      noteAlarms()
      windowEnded(at: place, now)
    }
  }

  // MARK: - Flushing

  /// Ends the windows and delays of an id: those who wait come to their slots, the one that has waited longest first.
  @usableFromInline
  mutating func flush(_ id: EffectID) {
    guard let place = directory.find(id) else { return noteUnmatchedFlush(id) }
    let waiting = (peers.members(of: directory[place].waiting) + waitingMembers(at: place)).map(slots.token)
    let now = timing.now()
    forgetClosedWindows(now)
    noteUnmatchedFlush(id)
    // All waits end at once, before the first of those who waited may cancel or replace others.
    for token in waiting {
      clearAlarm(of: token.slot)
      if timing.windows[place]?.throttled != token.slot { leaveWindow(token.slot) }
    }
    if let window = timing.windows[place], var throttle = window.throttle {
      timing.closings.cancel(window.number)
      timing.alarms.cancel(window.number)
      if window.throttled >= 0 {
        // As at the end of the window: the one that waited gets through, and the next window opens.
        throttle.ended(at: now)
        timing.windows[place]?.throttled = -1
        openThrottle(throttle, at: place, id)
      } else {
        timing.windows[place]?.throttle = nil
        closeIfEmpty(place)
      }
      noteAlarms()
    }
    inOrder { registry in
      for token in waiting { registry.steps.append(.flush(token)) }
    }
  }

  // MARK: - Cancelling

  /// A cancel resets the windows of what it names: the next run finds none (rule C2).
  mutating func closeWindows(of target: Cancellation) {
    guard !timing.windows.isEmpty else { return }
    switch target {
    case .id(let id): closeWindow(of: directory.find(id))
    case .ids(let ids): for place in places(of: ids) { closeWindow(of: place) }
    // A burst is over with the run that waits; a throttle's window belongs to the run that opened it.
    case .queued: break
    case .everything: for place in timing.windows.keys.sorted() { closeWindow(of: place) }
    case .scope(let scope):
      for place in windows(inside: directory.find(scope)) { closeWindow(of: place) }
    case .matching(let predicate, let scope):
      for place in windows(inside: scope.map { directory.find($0) } ?? Directory.root) {
        if let window = timing.windows[place], predicate(window.id) { closeWindow(of: place) }
      }
    }
  }

  /// The windows inside a scope, found from there: others may be many.
  private func windows(inside scope: Int32?) -> [Int32] {
    guard let scope else { return [] }
    var found = directory[scope].hasWindow ? [scope] : []
    var pending = [directory[scope].firstInside]
    while let place = pending.popLast() {
      guard place >= 0 else { continue }
      pending.append(directory[place].nextBeside)
      pending.append(directory[place].firstInside)
      if directory[place].hasWindow { found.append(place) }
    }
    return found.sorted()
  }

  mutating func closeWindow(of place: Int32?) {
    guard let place, let window = timing.windows.removeValue(forKey: place) else { return }
    if window.throttle != nil {
      timing.closings.cancel(window.number)
      timing.alarms.cancel(window.number)
      noteAlarms()
    }
    directory[place].hasWindow = false
    steps.append(.refill(place))
  }
}
