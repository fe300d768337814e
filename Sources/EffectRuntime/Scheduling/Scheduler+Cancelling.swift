// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Inputs

extension Scheduler {
  /// Cancels what a `cancel` effect names; `within` is the branch the effect is a part of.
  @usableFromInline
  mutating func cancel(_ target: Cancellation, within branch: Token) {
    if notes.isOn { noteUnmatched(target) }
    cancel(target, within: branch, because: .byEffect)
  }

  /// Cancels what a selection reaches, for a reason. `branch` is as above; `.none` if it is not an effect.
  mutating func cancel(_ target: Cancellation, within branch: Token, because reason: EffectOutcome.CancelReason) {
    let found: [Int32]
    switch target {
    case .id(let id): return cancel(id, within: branch, because: reason)
    case .ids(let ids): found = names.find(ids).flatMap { names.presentWork(at: $0) }
    case .scope(let scope): found = names.find(scope).map { inside($0, sparing: branch) } ?? []
    case .everything: found = inside(NameDirectory.root, sparing: branch)
    case .matching(let predicate, let scope):
      let place = scope.map { names.find($0) } ?? NameDirectory.root
      let all = place.map { inside($0, sparing: branch) } ?? []
      found = all.filter { id(of: $0).map(predicate.callAsFunction) ?? false }
    }
    let tree = workTree.contains(branch) ? ownTree(among: found, around: branch) : nil
    closeWindows(of: target)
    // A branch and its parts may both be found. Cancelling the branch cancels its parts.
    let tokens = found.map { workTree.token($0) }
    endReason = .cancelled(reason)
    inOrder { scheduler in
      for token in tokens where scheduler.workTree.contains(token) { scheduler.cancelWork(token.slot) }
    }
    noteSelfCancellation(target, of: tree)
  }

  /// Cancels the work of ids, not because of an effect. Opens a turn, because work that waited for it goes on now.
  mutating func cancel(ids: Set<EffectID>, because reason: EffectOutcome.CancelReason = .byEffect) {
    if !turn.isOpen { openTurn() }
    cancel(.ids(ids), within: .none, because: reason)
  }

  /// Cancels all work of the store, as `.cancel(.everything)` does.
  mutating func cancelEverything() { cancel(.everything, within: .none, because: .byEffect) }

  /// The runs that are active or wait, without those that were cancelled. O(present work).
  var liveRuns: [EffectRun] {
    inside(NameDirectory.root, sparing: .none).compactMap { description(of: workTree.token($0)) }
  }

  /// The same for one id: the common case, without a list of what is found.
  private mutating func cancel(_ id: EffectID, within branch: Token, because reason: EffectOutcome.CancelReason) {
    guard let place = names.find(id) else { return }
    let tree = ownTree(at: place, around: branch)
    if names.hasWindow(at: place) { closeWindow(of: place) }
    endReason = .cancelled(reason)
    inOrder { scheduler in
      // Cancelled work leaves its list. A tree may contain other work of its id, which leaves with it.
      while let index = scheduler.names.first(.active, at: place) { scheduler.cancelWork(index) }
      while let index = scheduler.names.first(.queued, at: place) { scheduler.cancelWork(index) }
      while let index = scheduler.names.first(.waiting, at: place) { scheduler.cancelWork(index) }
    }
    noteSelfCancellation(.id(id), of: tree)
  }

  /// Cancels everything a dispatch has caused and will cause, except what others own as well (rule O5).
  ///
  /// Opens a turn, because work that waited for its runs goes on now.
  mutating func cancelDispatch(_ number: UInt64) {
    guard let root = root(of: number) else { return }
    endReason = .cancelled(.byDispatch)
    if !turn.isOpen { openTurn() }
    inOrder { scheduler in
      // Joiners are detached before anything is cancelled: a run must not pass to a joiner that is cancelled as well.
      var roots = [root.slot]
      var next = 0
      while next < roots.count {
        scheduler.workTree.refuse(roots[next])
        roots += scheduler.detachJoined(in: [roots[next]])
        next += 1
      }
      for root in roots {
        // A run that others have joined goes on for them.
        for part in scheduler.workTree.members(of: root).map({ scheduler.workTree.token($0) })
        where scheduler.workTree.contains(part) {
          if !scheduler.passToFirstJoiner(part.slot) { scheduler.cancelWork(part.slot) }
        }
      }
    }
  }

  /// Whether a run, or an attempt of one, was cancelled and its closure has not returned.
  package func isCancelling(_ token: Token) -> Bool {
    guard workTree.contains(token) else { return attempts.closure(of: token) != nil }
    return workTree.phase(of: token.slot) == .cancelling
  }
}

// MARK: - Finding

extension Scheduler {
  /// All work in a scope, but not the sequences that the `cancel` is itself a part of: those continue after it.
  func inside(_ scope: Int32, sparing branch: Token) -> [Int32] {
    let found = names.presentWork(inside: scope)
    var around = Set<Int32>()
    _ = workTree.branch(around: branch) { index in
      if case .sequence = workTree[index] { around.insert(index) }
      return false
    }
    return around.isEmpty ? found : found.filter { !around.contains($0) }
  }

  /// The id of the work in a slot, if it has one.
  func id(of index: Int32) -> EffectID? { id(of: workTree[index]) }
}
