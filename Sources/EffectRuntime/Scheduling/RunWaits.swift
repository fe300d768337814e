// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Which runs wait for which dispatches, as a value.
struct RunWaits: Sendable {
  /// A run's wait for a dispatch.
  struct Wait: Sendable {
    let root: Token
    let waiter: Waiter
  }

  private var waitsOf: [Token: [Wait]] = [:]
  /// The runs that wait for a dispatch, by its slot.
  private var runsFor: [Int32: [Token]] = [:]

  var isEmpty: Bool { waitsOf.isEmpty }

  /// The runs that wait, in no order.
  var runs: [Token] { Array(waitsOf.keys) }

  /// What a run waits for.
  func waits(of run: Token) -> [Wait] { waitsOf[run] ?? [] }

  mutating func add(_ run: Token, for root: Token, _ waiter: Waiter) {
    waitsOf[run, default: []].append(Wait(root: root, waiter: waiter))
    runsFor[root.slot, default: []].append(run)
  }

  /// A wait of a run is over.
  mutating func remove(_ run: Token, for root: Token, _ waiter: Waiter) {
    waitsOf[run]?.removeAll { $0.waiter === waiter }
    if waitsOf[run]?.isEmpty == true { waitsOf[run] = nil }
    guard let index = runsFor[root.slot]?.firstIndex(of: run) else { return }
    runsFor[root.slot]?.remove(at: index)
    if runsFor[root.slot]?.isEmpty == true { runsFor[root.slot] = nil }
  }

  /// A dispatch has settled: so have all waits for it.
  mutating func settled(_ root: Token) {
    for run in runsFor.removeValue(forKey: root.slot) ?? [] {
      waitsOf[run]?.removeAll { $0.root == root }
      if waitsOf[run]?.isEmpty == true { waitsOf[run] = nil }
    }
  }
}

/// Circles of waits (rule L2).
///
/// A dispatch, sequence or tree settles when all of its parts have; a run ends when its closure returns, and so when what it
/// waits for has settled; a queued part starts when one of those that hold its slots ends. The last edge of a circle is either
/// a wait that begins, or work that is queued or joins: each is checked when it comes. What is known is only the waits of this
/// store; two stores whose runs wait for each other are not found.
extension Registry {
  /// A run waits for a dispatch from now on.
  mutating func watch(_ number: UInt64, _ waiter: Waiter, from run: Token) {
    watch(number, waiter)
    guard run != .none, slots.contains(run), let root = root(of: number) else { return }
    runWaits.add(run, for: root, waiter)
  }

  /// The circle that a run's wait for a dispatch would close: the other work in it, in its order; `nil` if there is none.
  mutating func circle(of run: Token, waitingFor number: UInt64) -> [EffectRun]? {
    guard slots.contains(run), let root = root(of: number) else { return nil }
    return circle(through: run.slot, alsoAfter: root.slot).map { $0.compactMap { description(of: slots[$0].work) } }
  }

  /// Work has been queued, or has joined other work: ends the waits of runs that cannot end any more.
  mutating func endCircle(through index: Int32) {
    // A run may wait more than once for what cannot settle. Each step ends a wait, so this comes to an end.
    while let circle = circle(through: index), endWait(in: circle, through: index) {}
  }

  /// Ends one wait of a circle; `false` if there is none.
  private mutating func endWait(in circle: [Int32], through index: Int32) -> Bool {
    // The last wait of a run on the way back leads to a dispatch that this is a part of.
    for (position, member) in circle.enumerated().reversed() {
      guard case .run = slots[member].work, position + 1 < circle.count else { continue }
      let run = slots.token(member)
      guard let wait = runWaits.waits(of: run).first(where: { $0.root.slot == circle[position + 1] }) else { continue }
      let others = (circle[(position + 1)...] + [index] + circle[..<position]).compactMap {
        description(of: slots[$0].work)
      }
      runWaits.remove(run, for: wait.root, wait.waiter)
      waiters[wait.root.slot]?.removeAll { $0 === wait.waiter }
      if let description = description(of: slots[member].work) {
        commands.append(.report(EffectFailure(error: WaitsInCircle(others: others), run: description)))
      }
      commands.append(.refuse(wait.waiter))
      return true
    }
    return false
  }

  /// What must end, or settle, before a part can.
  private func next(after index: Int32) -> [Int32] {
    switch (slots[index].work, slots[index].phase) {
    case (.run, .queued), (.tree, .queued):
      // A closure that was cancelled and keeps its slot gives it up when it returns.
      peers.members(of: directory[slots[index].place].cancelling).contains { slots[$0].keepsPlace }
        ? [] : peers.members(of: directory[slots[index].place].live)
    case (.run, .running):
      runWaits.waits(of: slots.token(index)).map(\.root).filter(slots.contains).map(\.slot)
    case (.tree, .running), (.sequence, _), (.dispatch, _), (.share, _): siblings.members(of: slots[index].children)
    case (.joined(let shared), _): [shared]
    case (.none, _), (.run, _), (.tree, _): []
    }
  }

  /// The work that must end first, from what some work waits for back to that, which is not listed; `nil` if it can end.
  ///
  /// Of what is queued one slot must become free, of all else everything must end. What waits for nothing can end; so can what
  /// needs no more than what can end; the rest never does.
  ///
  /// - Complexity: O(work that must end first).
  private func circle(through start: Int32, alsoAfter root: Int32? = nil) -> [Int32]? {
    var needs: [Int32: [Int32]] = [:]
    var users: [Int32: [Int32]] = [:]
    /// How much of what a part needs has yet to be found able to end.
    var missing: [Int32: Int] = [:]
    var able: [Int32] = []
    var pending = [start]
    while let index = pending.popLast() {
      guard needs[index] == nil else { continue }
      var all = next(after: index)
      if index == start, let root { all.append(root) }
      needs[index] = all
      missing[index] = slots[index].phase == .queued ? 1 : all.count
      if all.isEmpty { able.append(index) }
      for need in all { users[need, default: []].append(index) }
      pending += all
    }
    while let index = able.popLast() {
      for user in users[index] ?? [] {
        missing[user, default: 0] -= 1
        if missing[user] == 0 { able.append(user) }
      }
    }
    func isStuck(_ index: Int32) -> Bool { needs[index]?.isEmpty == false && missing[index, default: 0] > 0 }
    guard isStuck(start) else { return nil }
    // A way through what is stuck; there may be other circles, which do not concern this.
    var origin: [Int32: Int32] = [:]
    let first = root.map { [$0] } ?? needs[start] ?? []
    for index in first where isStuck(index) { origin[index] = -1 }
    pending = Array(origin.keys.sorted().reversed())
    while let index = pending.popLast() {
      for need in (needs[index] ?? []).reversed() where isStuck(need) {
        if need == start {
          var path = [index]
          while let former = origin[path[path.count - 1]], former >= 0 { path.append(former) }
          return path.reversed()
        }
        guard origin[need] == nil else { continue }
        origin[need] = index
        pending.append(need)
      }
    }
    return nil
  }

  /// The runs that wait for other work of the store, and what is left of that.
  var waitingRuns: [LiveEffects.Wait] {
    let runs = runWaits.runs.filter { slots.contains($0) }.sorted { $0.slot < $1.slot }
    return runs.compactMap { run in
      guard let description = description(of: slots[run.slot].work) else { return nil }
      let roots = runWaits.waits(of: run).map(\.root).filter(slots.contains)
      let parts = roots.flatMap { siblings.members(of: slots[$0.slot].children) }
      return LiveEffects.Wait(run: description, work: parts.compactMap { self.description(of: slots[$0].work) })
    }
  }
}
