// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Scheduler {
  /// Work arrives at its place: compares its kind of overlap with those of all work of the id (rule O1).
  mutating func noteOverlap(of work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard names.hasOtherKinds(than: overlap.kind, at: place) else { return }
    let counts = names.counts(at: place)
    if counts.running + counts.queued + counts.waiting > 0 {
      compare(work, overlap, at: place)
    } else {
      names.setKind(overlap.kind, at: place)
    }
  }

  /// There are, or have been, two kinds of overlap under the id. Reports each line that differs, once for a pair of lines.
  private mutating func compare(_ work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard let newer = description(of: work) else { return }
    if !names.isMixed(at: place) { collectLines(at: place) }
    for site in misuse.differences(from: newer.site, overlap.kind, at: place) {
      guard misuse.reportsFirst(OverlapConflict.key(newer.site, site)),
        let older = newestWork(of: site, differingFrom: overlap.kind, at: place)
      else { continue }
      commands.append(.report(EffectFailure(error: OverlapConflict(newer: newer, older: older), run: newer)))
    }
  }

  /// Begins to record the lines of an id.
  private mutating func collectLines(at place: Int32) {
    var lines = OverlapLines()
    for index in names.presentWork(at: place) {
      if let (site, kind) = overlapLine(of: index) { lines.arrived(site, kind) }
    }
    names.setMixed(true, at: place)
    misuse.record(lines, at: place)
  }

  /// Work of an id becomes active or waits.
  mutating func lineArrives(_ index: Int32, _ kind: Overlap.Kind) {
    guard names.isMixed(at: workTree.place(of: index)) else {
      // If there was work with another kind, it has been cancelled or dropped.
      names.setKind(kind, at: workTree.place(of: index))
      return
    }
    guard let (site, kind) = overlapLine(of: index) else { return }
    misuse.arrived(site, kind, at: workTree.place(of: index))
  }

  /// Work of an id has settled. To be called only where the id is mixed.
  mutating func lineLeft(_ index: Int32) {
    guard let (site, kind) = overlapLine(of: index) else { return }
    let place = workTree.place(of: index)
    if misuse.left(site, kind, at: place) { names.setMixed(false, at: place) }
  }

  private func newestWork(of site: CallSite, differingFrom kind: Overlap.Kind, at place: Int32) -> EffectRun? {
    for index in names.presentWork(at: place).reversed() {
      if let work = description(of: workTree[index]), work.overlap.kind != kind, "\(work.site)" == "\(site)" {
        return work
      }
    }
    return nil
  }

  private func overlapLine(of index: Int32) -> (CallSite, Overlap.Kind)? {
    switch workTree[index] {
    case .run(let operation): (operation.site, operation.overlap.kind)
    case .tree(_, let label): (label.site, label.overlap.kind)
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }

  /// Work is inside a tree of its id, and belongs to the tree. Compares the kinds of overlap, although the overlap of
  /// the work itself has no effect (rule E6).
  mutating func noteOverlap(of work: Slots.Work, _ overlap: Overlap, inside tree: Int32) {
    guard let older = description(of: workTree[tree]), older.overlap.kind != overlap.kind,
      let newer = description(of: work)
    else { return }
    let conflict = OverlapConflict(newer: newer, older: older)
    guard misuse.reportsFirst(conflict.key) else { return }
    commands.append(.report(EffectFailure(error: conflict, run: newer)))
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
