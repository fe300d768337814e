// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Inputs

extension Registry {
  /// Cancels what a `cancel` effect names; `within` is the branch the effect is a part of.
  @usableFromInline
  mutating func cancel(_ target: Cancellation, within branch: Token) {
    if notes.isOn { noteUnmatched(target) }
    cancel(target, within: branch, because: .byEffect)
  }

  mutating func cancel(_ target: Cancellation, within branch: Token, because reason: EffectOutcome.CancelReason) {
    let found: [Int32]
    switch target {
    case .id(let id): return cancel(id, within: branch, because: reason)
    case .ids(let ids): found = places(of: ids).flatMap(named)
    case .queued(let id): found = directory.find(id).map(queued) ?? []
    case .scope(let scope): found = directory.find(scope).map { inside($0, sparing: branch) } ?? []
    case .everything: found = inside(Directory.root, sparing: branch)
    case .matching(let predicate, let scope):
      let place = scope.map { directory.find($0) } ?? Directory.root
      let all = place.map { inside($0, sparing: branch) } ?? []
      found = all.filter { id(of: $0).map(predicate.callAsFunction) ?? false }
    }
    let tree = slots.contains(branch) ? ownTree(among: found, around: branch) : nil
    closeWindows(of: target)
    // A branch and its parts may both be found; the branch takes its parts with it.
    let tokens = found.map(slots.token)
    book.reason = .cancelled(reason)
    inOrder { registry in
      for token in tokens where registry.slots.contains(token) { registry.cancelWork(token.slot) }
    }
    noteSelfCancellation(target, of: tree)
  }

  /// The common case, without a list of what is found.
  private mutating func cancel(_ id: EffectID, within branch: Token, because reason: EffectOutcome.CancelReason) {
    guard let place = directory.find(id) else { return }
    let tree = ownTree(at: place, around: branch)
    if directory[place].hasWindow { closeWindow(of: place) }
    book.reason = .cancelled(reason)
    inOrder { registry in
      // Whoever is cancelled leaves the list, a tree perhaps with others of its id.
      while !registry.directory[place].live.isEmpty { registry.cancelWork(registry.directory[place].live.first) }
      while !registry.directory[place].queue.isEmpty { registry.cancelWork(registry.directory[place].queue.first) }
      while !registry.directory[place].waiting.isEmpty { registry.cancelWork(registry.directory[place].waiting.first) }
    }
    noteSelfCancellation(.id(id), of: tree)
  }

  /// Cancels everything a dispatch has caused and will cause, except what others own as well (rule O1).
  ///
  /// Opens a turn, because what waited behind its runs goes on now.
  mutating func cancelDispatch(_ number: UInt64) {
    guard let root = root(of: number) else { return }
    book.reason = .cancelled(.byDispatch)
    if !turn.isOpen { openTurn() }
    inOrder { registry in
      // Whoever only shares lets go before anything is cancelled: a run must not be left to somebody who goes as well.
      var roots = [root.slot]
      var next = 0
      while next < roots.count {
        registry.slots[roots[next]].isRefusing = true
        roots += registry.detachJoined(in: [roots[next]])
        next += 1
      }
      for root in roots {
        // A run that others have joined goes on for them.
        for part in registry.siblings.members(of: registry.slots[root].children).map(registry.slots.token)
        where registry.slots.contains(part) {
          if !registry.bequeath(part.slot) { registry.cancelWork(part.slot) }
        }
      }
    }
  }

  /// Whether a run, or an attempt of one, was cancelled and its closure has not returned.
  func isCancelling(_ token: Token) -> Bool {
    guard slots.contains(token) else { return timing.abandoned[token] != nil }
    return slots[token.slot].phase == .cancelling
  }

  /// Somebody waits until a dispatch has settled.
  mutating func watch(_ number: UInt64, _ waiter: Waiter) {
    guard let root = root(of: number) else { return commands.append(.resume(waiter, takeOutcomes(of: number))) }
    waiters[root.slot, default: []].append(waiter)
  }

  /// The waiters of dispatches that own something which a cancel of these ids would reach.
  func waiters(reachedBy ids: Set<EffectID>) -> [Waiter] {
    guard !waiters.isEmpty else { return [] }
    return owners(of: places(of: ids).flatMap(named)).sorted().flatMap { waiters[$0] ?? [] }
  }

  /// Whether a run belongs to a dispatch, which it then cannot wait for.
  mutating func isRun(_ token: Token, partOf number: UInt64) -> Bool {
    guard let run = closure(of: token), let root = root(of: number) else { return false }
    return isOwned(run, by: root.slot) || isAwaited(run, by: root)
  }

  /// Whether a branch goes on, or ends, only when a closure has returned that was cancelled: that one belongs to nobody.
  private func isAwaited(_ closure: Int32, by branch: Token) -> Bool {
    for part in [closure] + peers.members(of: joiners(of: closure)) {
      var next = slots[part].parent
      while slots.contains(next) {
        if next == branch { return true }
        next = slots[next.slot].parent
      }
    }
    return false
  }

  mutating func root(of number: UInt64) -> Token? {
    if turn.isOpen, turn.root == .none, turn.number == number { return dispatch() }
    guard let token = dispatches.find(number), slots.contains(token) else { return nil }
    return token
  }
}

// MARK: - Finding

extension Registry {
  /// Where work of these ids is, in the order in which the places were made: a set has another in each process, which
  /// would reach the order of cancels, and with it tests that pass on one machine and fail on another.
  func places(of ids: Set<EffectID>) -> [Int32] {
    ids.compactMap { directory.find($0) }.sorted()
  }

  private func named(_ place: Int32) -> [Int32] {
    peers.members(of: directory[place].live) + peers.members(of: directory[place].queue)
      + peers.members(of: directory[place].waiting)
  }

  /// What waits under an id: for a slot, or for its time.
  private func queued(_ place: Int32) -> [Int32] {
    peers.members(of: directory[place].queue) + peers.members(of: directory[place].waiting)
      + waitingMembers(at: place)
  }

  /// All work in a scope, but not the sequences that the `cancel` is itself a part of: those go on behind it.
  func inside(_ scope: Int32, sparing branch: Token) -> [Int32] {
    var found = peers.members(of: directory[scope].anonymous)
    var pending = [directory[scope].firstInside]
    while let place = pending.popLast() {
      guard place >= 0 else { continue }
      pending.append(directory[place].nextBeside)
      pending.append(directory[place].firstInside)
      found += peers.members(of: directory[place].live)
      found += peers.members(of: directory[place].queue)
      found += peers.members(of: directory[place].waiting)
      found += peers.members(of: directory[place].members)
      found += peers.members(of: directory[place].anonymous)
    }
    var around = Set<Int32>()
    var next = branch
    while slots.contains(next) {
      if case .sequence = slots[next.slot].work { around.insert(next.slot) }
      next = slots[next.slot].parent
    }
    return around.isEmpty ? found : found.filter { !around.contains($0) }
  }

  func id(of index: Int32) -> EffectID? { id(of: slots[index].work) }
}
