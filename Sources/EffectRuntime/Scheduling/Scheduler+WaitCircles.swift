// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Circles of waits (rule L2).
///
/// A dispatch, sequence or tree settles when all of its parts have settled. A run ends when its closure returns, and so
/// when what it waits for has settled. A queued part starts when work that holds one of its slots ends. The last edge
/// of a circle is a wait that begins, or work that is queued or joins. Each of these is checked when it comes. Only
/// waits in this store are known: two stores whose runs wait for each other are not found.
extension Scheduler {
  /// The circle that a run's wait for a dispatch would close: the other work in it, in its order; `nil` if there is none.
  mutating func circle(of run: Token, waitingFor number: UInt64) -> [EffectRun]? {
    guard workTree.contains(run), let root = root(of: number) else { return nil }
    return circle(through: run.slot, alsoAfter: root.slot).map { $0.compactMap { description(of: workTree[$0]) } }
  }

  /// Work has been queued, or has joined other work: ends the waits of runs that cannot end any more.
  mutating func endCircle(through index: Int32) {
    // A run may have more than one wait for work that cannot settle. Each step ends a wait, so the loop ends.
    while let circle = circle(through: index), endWait(in: circle, through: index) {}
  }

  /// Ends one wait of a circle; `false` if there is none.
  private mutating func endWait(in circle: [Int32], through index: Int32) -> Bool {
    // From the end of the circle. The last run that waits has a wait for a dispatch that this work is a part of.
    for (position, member) in circle.enumerated().reversed() {
      guard case .run = workTree[member], position + 1 < circle.count else { continue }
      let run = workTree.token(member)
      guard let wait = waits.waits(of: run).first(where: { $0.root.slot == circle[position + 1] }) else { continue }
      let others = (circle[(position + 1)...] + [index] + circle[..<position]).compactMap {
        description(of: workTree[$0])
      }
      waits.end(wait, of: run)
      if let description = description(of: workTree[member]) {
        outputs.append(.report(EffectFailure(error: WaitsInCircle(others: others), run: description)))
      }
      outputs.append(.answer(wait.waiter, false))
      return true
    }
    return false
  }

  /// What must end, or settle, before a part can do so.
  private func next(after index: Int32) -> [Int32] {
    switch (workTree[index], workTree.phase(of: index)) {
    case (.run, .queued), (.tree, .queued):
      // A closure that was cancelled and keeps its slot releases it when it returns.
      names.work(.cancelling, at: workTree.place(of: index)).contains { workTree.keepsSlot($0) }
        ? [] : names.work(.active, at: workTree.place(of: index)).filter { !workTree.isRecovering($0) }
    case (.run, .running):
      waits.waits(of: workTree.token(index)).map(\.root).filter { workTree.contains($0) }.map(\.slot)
    case (.tree, .running), (.sequence, _), (.dispatch, _), (.share, _): workTree.members(of: index)
    case (.joined(let shared), _): [shared]
    case (.none, _), (.run, _), (.tree, _): []
    }
  }

  /// The circle of work that cannot end, without this work itself; `nil` if this work can end.
  private func circle(through start: Int32, alsoAfter root: Int32? = nil) -> [Int32]? {
    WaitCircle.search(
      through: start, alsoAfter: root, needs: { next(after: $0) }, needsOne: { workTree.phase(of: $0) == .queued })
  }

  /// The runs that wait for other work of the store, and the rest of that work.
  var waitingRuns: [LiveEffects.Wait] {
    let runs = waits.runs.filter { workTree.contains($0) }.sorted { $0.slot < $1.slot }
    return runs.compactMap { run in
      guard let description = description(of: workTree[run.slot]) else { return nil }
      let roots = waits.waits(of: run).map(\.root).filter { workTree.contains($0) }
      let parts = roots.flatMap { workTree.members(of: $0.slot) }
      return LiveEffects.Wait(run: description, work: parts.compactMap { self.description(of: workTree[$0]) })
    }
  }
}
