// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// The waiters of dispatches (rules L2, L3).
extension Scheduler {
  /// A waiter waits until a dispatch has settled; `run` is the run that it waits in, or none.
  mutating func watch(_ number: UInt64, _ waiter: Waiter, from run: Token) {
    addWaiter(number, waiter)
    guard run != .none, workTree.contains(run), let root = root(of: number) else { return }
    waits.mark(waiter, for: root, inside: run)
  }

  /// A waiter waits until a dispatch has settled.
  mutating func addWaiter(_ number: UInt64, _ waiter: Waiter) {
    guard let root = root(of: number) else { return outputs.append(.settle(waiter, takeOutcomes(of: number))) }
    waits.add(waiter, for: root)
  }

  /// The waiters of dispatches that own something which a cancel of these ids would reach.
  func waiters(reachedBy ids: Set<EffectID>) -> [Waiter] {
    guard !waits.isEmpty else { return [] }
    return owners(of: names.find(ids).flatMap { names.presentWork(at: $0) }).sorted().flatMap { waits.waiters(of: $0) }
  }

  /// The waiters of dispatches that own anything present.
  var waitersOfPresentWork: [Waiter] {
    guard !waits.isEmpty else { return [] }
    return owners(of: names.presentWork(inside: NameDirectory.root)).sorted().flatMap { waits.waiters(of: $0) }
  }

  /// The waiters of dispatches that own a branch.
  func waiters(ofBranch branch: Token) -> [Waiter] {
    let branch = branch == .turn ? turn.root : branch
    guard !waits.isEmpty, branch != .none else { return [] }
    return owners(of: [branch.slot]).sorted().flatMap { waits.waiters(of: $0) }
  }

  /// Whether a run belongs to a dispatch, and so cannot wait for it.
  package mutating func isRun(_ token: Token, partOf number: UInt64) -> Bool {
    guard let run = closure(of: token), let root = root(of: number) else { return false }
    return isOwned(run, by: root.slot) || isAwaited(run, by: root)
  }

  /// Whether a branch goes on, or ends, only when a cancelled closure has returned. That closure has no owner.
  private func isAwaited(_ closure: Int32, by branch: Token) -> Bool {
    for part in [closure] + sharedRuns.joiners(of: closure) {
      if workTree.branch(around: workTree.parent(of: part), where: { $0 == branch.slot }) != nil { return true }
    }
    return false
  }

  /// The dispatch of an action, by its number; `nil` if it has settled or has caused nothing that needs a slot. The
  /// dispatch of the open turn gets a slot.
  mutating func root(of number: UInt64) -> Token? {
    if turn.isOpen, turn.root == .none, turn.number == number { return dispatch() }
    return workTree.dispatch(number)
  }
}
