// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Scheduler {
  /// Work arrives at its place: compares its overlap with those of all work of the id (rule O1).
  mutating func noteOverlap(of work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard names.hasOtherOverlaps(than: overlap.name, at: place) else { return }
    let counts = names.counts(at: place)
    if counts.running + counts.queued + counts.waiting > 0 {
      compare(work, overlap, at: place)
    } else {
      names.setOverlap(overlap.name, at: place)
    }
  }

  /// There are, or have been, two overlaps under the id. Reports each line that differs, once for a pair of lines.
  private mutating func compare(_ work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard let newer = description(of: work) else { return }
    if !names.isMixed(at: place) { collectLines(at: place) }
    for site in misuse.differences(from: newer.site, overlap.name, at: place) {
      guard misuse.reportsFirst(OverlapConflict.key(newer.site, site)),
        let older = newestWork(of: site, differingFrom: overlap.name, at: place)
      else { continue }
      let conflict = OverlapConflict(.otherOverlap, newer: newer, older: older)
      outputs.append(.report(EffectFailure(error: conflict, run: newer)))
    }
  }

  /// Begins to record the lines of an id.
  private mutating func collectLines(at place: Int32) {
    var lines = OverlapLines()
    for index in names.presentWork(at: place) {
      if let (site, overlap) = overlapLine(of: index) { lines.arrived(site, overlap) }
    }
    names.setMixed(true, at: place)
    misuse.record(lines, at: place)
  }

  /// Work of an id becomes active or waits.
  mutating func lineArrives(_ index: Int32, _ overlap: Overlap.Name) {
    guard names.isMixed(at: workTree.place(of: index)) else {
      // If there was work with another overlap, it has been cancelled or dropped.
      names.setOverlap(overlap, at: workTree.place(of: index))
      return
    }
    guard let (site, overlap) = overlapLine(of: index) else { return }
    misuse.arrived(site, overlap, at: workTree.place(of: index))
  }

  /// Work of an id has settled. To be called only where the id is mixed.
  mutating func lineLeft(_ index: Int32) {
    guard let (site, overlap) = overlapLine(of: index) else { return }
    let place = workTree.place(of: index)
    if misuse.left(site, overlap, at: place) { names.setMixed(false, at: place) }
  }

  private func newestWork(of site: CallSite, differingFrom overlap: Overlap.Name, at place: Int32) -> EffectRun? {
    for index in names.presentWork(at: place).reversed() {
      if let work = description(of: workTree[index]), work.overlap.name != overlap, "\(work.site)" == "\(site)" {
        return work
      }
    }
    return nil
  }

  private func overlapLine(of index: Int32) -> (CallSite, Overlap.Name)? {
    switch workTree[index] {
    case .run(let operation): (operation.site, operation.overlap.name)
    case .tree(_, let label): (label.site, label.overlap.name)
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }

  /// Reports a mistake with the overlap of work that arrives, once for a pair of lines.
  ///
  /// - Parameter other: the slot of the work that it met; `nil` if there is none.
  mutating func report(_ problem: OverlapConflict.Problem, of work: Slots.Work, with other: Int32?) {
    guard let newer = description(of: work) else { return }
    let older = other.flatMap { description(of: workTree[$0]) } ?? newer
    let conflict = OverlapConflict(problem, newer: newer, older: older)
    guard misuse.reportsFirst(conflict.key) else { return }
    outputs.append(.report(EffectFailure(error: conflict, run: newer)))
  }

  /// The run whose action is being reduced; `.none` if another event has begun the turn.
  var sender: Token { turn.number == .max ? turn.sender : .none }

  /// Work that arrives was dropped. Reports it if the slot that it needed is held by the run whose action has started it, or
  /// by a tree around that run (rule O4).
  mutating func noteDropped(_ work: Slots.Work, at place: Int32) {
    guard sender != .none else { return }
    let holder = workTree.branch(around: sender) { index in
      workTree.place(of: index) == place && workTree.isNamed(index) && workTree.phase(of: index) == .running
        && !workTree.isRecovering(index)
    }
    if let holder { report(.ownCause, of: work, with: holder) }
  }

  /// The description of work with an id, for a report. A tree is described like a run.
  func description(of work: Slots.Work) -> EffectRun? {
    switch work {
    case .run(let operation): EffectRun(operation)
    case .tree(_, let label):
      EffectRun(id: label.id, overlap: label.overlap, fileID: label.site.fileID, line: UInt(label.site.line))
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }
}
