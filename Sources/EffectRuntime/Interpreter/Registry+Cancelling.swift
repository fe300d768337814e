// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Inputs

extension Registry {
  /// Cancels what a `cancel` effect names; `within` is the branch the effect is a part of.
  @usableFromInline
  mutating func cancel(_ target: Cancellation, within branch: Token) {
    cancel(target, within: branch, because: .byEffect)
  }

  mutating func cancel(_ target: Cancellation, within branch: Token, because reason: EffectOutcome.CancelReason) {
    let found: [Int32]
    switch target {
    case .id(let id): found = named(id)
    case .ids(let ids): found = ids.flatMap(named)
    case .scope(let scope): found = directory.find(scope).map { inside($0, sparing: branch) } ?? []
    case .everything: found = inside(Directory.root, sparing: branch)
    case .matching(let predicate, let scope):
      let place = scope.map { directory.find($0) } ?? Directory.root
      let all = place.map { inside($0, sparing: branch) } ?? []
      found = all.filter { id(of: $0).map(predicate.callAsFunction) ?? false }
    }
    // A branch and its parts may both be found; the branch takes its parts with it.
    let tokens = found.map(slots.token)
    book.reason = .cancelled(reason)
    inOrder { registry in
      for token in tokens where registry.slots.contains(token) { registry.cancelWork(token.slot) }
    }
  }

  /// Cancels everything a dispatch has caused and will cause.
  ///
  /// Opens a turn, because what waited behind its runs goes on now.
  mutating func cancelDispatch(_ number: UInt64) {
    guard let root = root(of: number) else { return }
    slots[root.slot].isRefusing = true
    book.reason = .cancelled(.byDispatch)
    if !turn.isOpen { openTurn() }
    // A run that others have joined goes on for them; not for a part of the dispatch itself.
    let members = siblings.members(of: slots[root.slot].children)
    let joined = members.filter { if case .joined = slots[$0].work { true } else { false } }
    let parts = members.filter { if case .joined = slots[$0].work { false } else { true } }.map(slots.token)
    inOrder { registry in
      for index in joined { registry.cancelWork(index) }
      registry.detachJoined(in: parts.map(\.slot))
      for part in parts where registry.slots.contains(part) {
        if !registry.bequeath(part.slot) { registry.cancelWork(part.slot) }
      }
    }
  }

  /// Whether a run was cancelled and its closure has not returned.
  func isCancelling(_ token: Token) -> Bool {
    slots.contains(token) && slots[token.slot].phase == .cancelling
  }

  /// Somebody waits until a dispatch has settled.
  mutating func watch(_ number: UInt64, _ waiter: Waiter) {
    guard let root = root(of: number) else { return commands.append(.resume(waiter)) }
    waiters[root.slot, default: []].append(waiter)
  }

  /// Whether a run belongs to a dispatch, which it then cannot wait for.
  mutating func isRun(_ token: Token, partOf number: UInt64) -> Bool {
    guard slots.contains(token), let root = root(of: number) else { return false }
    if slots[token.slot].root == root.slot { return true }
    return peers.members(of: slots[token.slot].joiners).contains { slots[$0].root == root.slot }
  }

  private mutating func root(of number: UInt64) -> Token? {
    if turn.isOpen, turn.root == .none, turn.number == number { return dispatch() }
    guard let token = dispatches.find(number), slots.contains(token) else { return nil }
    return token
  }
}

// MARK: - Finding

extension Registry {
  private func named(_ id: EffectID) -> [Int32] {
    guard let place = directory.find(id) else { return [] }
    return peers.members(of: directory[place].live) + peers.members(of: directory[place].queue)
  }

  /// All work in a scope, but not the sequences that the `cancel` is itself a part of: those go on behind it.
  private func inside(_ scope: Int32, sparing branch: Token) -> [Int32] {
    var found = peers.members(of: directory[scope].anonymous)
    var pending = [directory[scope].firstInside]
    while let place = pending.popLast() {
      guard place >= 0 else { continue }
      pending.append(directory[place].nextBeside)
      pending.append(directory[place].firstInside)
      found += peers.members(of: directory[place].live)
      found += peers.members(of: directory[place].queue)
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
