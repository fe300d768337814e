// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

// Windows, delays, and what is due when (rules C2 and C3).
extension ReferenceModel {
  struct Window {
    /// When the burst began, and which run waits for its end.
    var burst: (began: Duration, waiter: Node)?
    /// When a throttle's window ends, how long the next one is, which run waits for it.
    var throttle: (end: Duration, length: Duration, order: Int, waiter: Node?)?
  }

  struct Alarm {
    enum Purpose { case start(Node), limit(Node), wholeLimit(Node), attempt(Node), windowEnd(String) }
    let due: Duration
    let order: Int
    let purpose: Purpose
    var node: Node? {
      switch purpose {
      case .start(let node), .limit(let node), .wholeLimit(let node), .attempt(let node): node
      case .windowEnd: nil
      }
    }
  }

  func nextOrder() -> Int {
    alarmsSet += 1
    return alarmsSet
  }

  func setAlarm(at due: Duration, _ purpose: Alarm.Purpose, order: Int? = nil) {
    alarms.append(Alarm(due: due, order: order ?? nextOrder(), purpose: purpose))
  }

  func clearAlarms(of node: Node) { alarms.removeAll { $0.node === node } }

  /// Which comes first: in deadline order, then in the order they were set.
  var nextAlarm: Alarm? { alarms.min { ($0.due, $0.order) < ($1.due, $1.order) } }

  /// The first alarm goes off; the model's time must have come to it.
  func fireNextAlarm() {
    guard let alarm = nextAlarm else { return }
    alarms.removeAll { $0.order == alarm.order }
    switch alarm.purpose {
    case .start(let node): turn(of: node.dispatch) { goOn(node) }
    case .windowEnd(let id):
      guard let waiter = windows[id]?.throttle?.waiter else { return }
      turn(of: waiter.dispatch) { windowEnded(id) }
    case .limit(let node): turn(of: ownTurn(of: node)) { timeOut(node, isLast: false) }
    case .wholeLimit(let node): turn(of: ownTurn(of: node)) { timeOut(node, isLast: true) }
    case .attempt(let node): turn(of: nil) { startAttempt(node) }
    }
  }

  // MARK: - Arriving

  /// A run arrives. Whether its time modifiers keep it from its slot, for now or for good.
  ///
  /// A superseded run is notified late: when the run that arrives has its slot.
  func isPostponed(_ node: Node, _ late: inout [Consequence]) -> Bool {
    guard let timing = node.run?.timing else { return false }
    if let window = timing.window {
      guard let id = node.id else {
        commands.append(.report(node))
        return true
      }
      guard passes(window, node, at: id, &late) else { return true }
      guard node.parent?.phase == .live else { return true }
    }
    guard let delay = timing.delay, delay > .zero else { return false }
    if wait(node, &late) { setAlarm(at: now + delay, .start(node)) }
    return true
  }

  private func passes(_ window: Plan.Timing.Window, _ node: Node, at id: String, _ late: inout [Consequence]) -> Bool {
    let waiterBefore = windows[id]?.burst?.waiter
    fireDue(id)
    // What follows from that run reached the window as well: which of the two is the newer one is not promised.
    if windows[id]?.burst != nil, windows[id]?.burst?.waiter !== waiterBefore { hasFreedom = true }
    switch window {
    case .debounce(let duration, let maxWait):
      let began = windows[id]?.burst?.began ?? now
      let due = min(now + duration, maxWait.map { began + $0 } ?? .seconds(1_000_000))
      if let older = windows[id]?.burst?.waiter { supersede(older, &late) }
      guard due > now else { return true }
      guard wait(node, &late) else { return false }
      setAlarm(at: due, .start(node))
      windows[id, default: Window()].burst = (began, node)
      return false
    case .throttle(let duration, let trailing):
      guard let open = windows[id]?.throttle, open.end > now else {
        if duration > .zero { windows[id, default: Window()].throttle = (now + duration, duration, nextOrder(), nil) }
        return true
      }
      guard trailing else { return false }
      if let older = open.waiter { supersede(older, &late) }
      guard wait(node, &late) else { return false }
      windows[id]?.throttle = (open.end, duration, open.order, node)
      alarms.removeAll { $0.order == open.order }
      setAlarm(at: open.end, .windowEnd(id), order: open.order)
      return false
    }
  }

  /// A run that is due at this instant goes before one that arrives.
  private func fireDue(_ id: String) {
    if let waiter = windows[id]?.burst?.waiter, let alarm = alarms.first(where: { $0.node === waiter }),
      alarm.due <= now
    {
      clearAlarms(of: waiter)
      goOn(waiter)
    }
    if let open = windows[id]?.throttle, open.end <= now, open.waiter != nil {
      alarms.removeAll { $0.order == open.order }
      windowEnded(id)
    }
  }

  private func supersede(_ older: Node, _ late: inout [Consequence]) {
    late += cancel(older)
  }

  /// A run waits for its time. `.restart` decides now. `false` if the work that it replaces contained it.
  private func wait(_ node: Node, _ late: inout [Consequence]) -> Bool {
    guard let id = node.id else {
      node.phase = .waiting
      node.order = nextOrder()
      _ = add(node)
      return true
    }
    if node.overlap.kind == .restart {
      places[id, default: Place()].limit = node.overlap.limit
      // One run was superseded in the window, and another is replaced: whose consequences come first is not promised.
      let isSuperseding = !late.isEmpty
      let lucky = givePlaces(id)
      late.insert({ [self] in open(lucky) }, at: 0)
      let replaced = makeWay(for: node.overlap, at: id)
      if isSuperseding, !replaced.isEmpty { hasFreedom = true }
      late += replaced
    }
    guard node.parent?.phase == .live else { return false }
    node.phase = .waiting
    places[id, default: Place()].waiting.append(add(node))
    return true
  }

  // MARK: - Going on

  /// The moment of a run that waits has come.
  private func goOn(_ node: Node) {
    if leaveWindow(node) { passed(node) } else { delayed(node) }
  }

  private func windowEnded(_ id: String) {
    guard let open = windows[id]?.throttle, let waiter = open.waiter else { return }
    windows[id]?.throttle = (now + open.length, open.length, nextOrder(), nil)
    passed(waiter)
  }

  private func passed(_ node: Node) {
    guard let delay = node.run?.timing.delay, delay > .zero else { return delayed(node) }
    setAlarm(at: now + delay, .start(node))
  }

  private func delayed(_ node: Node) {
    guard let id = node.id else { return begin([node]) }
    // `.restart` has been decided, and what came later must not be cancelled by what came before.
    let decides = node.overlap.kind != .restart
    if decides {
      guard declare(node, at: id), node.phase == .waiting else { return }
      if let shared = runToJoin(node, at: id), let parent = node.parent {
        join(shared, as: parent)
        return dropWaiting(node, at: id)
      }
    }
    let consequences = decides ? makeWay(for: node.overlap, at: id) : []
    if node.phase == .waiting {
      let admission = admission(node.overlap, at: id)
      switch admission {
      case .drop:
        dropWaiting(node, at: id)
      case .start, .wait:
        places[id, default: Place()].waiting.removeAll { $0 === node }
        node.phase = .queued
        if admission == .wait {
          places[id, default: Place()].queue.append(node)
        } else {
          places[id, default: Place()].live.append(node)
          begin([node])
        }
      }
    }
    for consequence in consequences { consequence() }
  }

  /// A run that waited settles: other runs do its work, or it is not done.
  private func dropWaiting(_ node: Node, at id: String) {
    node.phase = .over
    node.parent?.parts.removeAll { $0 === node }
    places[id, default: Place()].waiting.removeAll { $0 === node }
    refill(id)
    if let parent = node.parent { partSettled(of: parent) }
  }

  /// A run that waits leaves its window: it passes, or is cancelled. The burst is over; a throttle's window is not.
  @discardableResult
  func leaveWindow(_ node: Node) -> Bool {
    guard let id = node.id, let window = windows[id] else { return false }
    if let burst = window.burst, burst.waiter === node {
      windows[id]?.burst = nil
      return true
    }
    guard let open = window.throttle, open.waiter === node else { return false }
    windows[id]?.throttle = (open.end, open.length, open.order, nil)
    alarms.removeAll { $0.order == open.order }
    return true
  }
}
