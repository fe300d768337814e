// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Registry {
  /// Work arrives at its place: compares its kind of overlap with those of all work of the id (rule O1).
  mutating func noteOverlap(of work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard directory[place].kind != overlap.kind || directory[place].isMixed else { return }
    let counts = directory[place].counts
    if counts.running + counts.queued + counts.waiting > 0 {
      compare(work, overlap, at: place)
    } else {
      directory[place].kind = overlap.kind
    }
  }

  /// There are, or have been, two kinds of overlap under the id. Reports each line that differs, once for a pair of lines.
  private mutating func compare(_ work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard let newer = description(of: work) else { return }
    if !directory[place].isMixed { collectLines(at: place) }
    for site in book.mixed[place, default: OverlapLines()].differences(from: newer.site, overlap.kind) {
      guard book.conflicts.insert(OverlapConflict.key(newer.site, site)).inserted,
        let older = newestWork(of: site, differingFrom: overlap.kind, at: place)
      else { continue }
      commands.append(.report(EffectFailure(error: OverlapConflict(newer: newer, older: older), run: newer)))
    }
  }

  private mutating func collectLines(at place: Int32) {
    var lines = OverlapLines()
    for index in members(at: place) {
      if let (site, kind) = overlapLine(of: index) { lines.arrived(site, kind) }
    }
    directory[place].isMixed = true
    book.mixed[place] = lines
  }

  /// Work of an id becomes active or waits.
  mutating func lineArrives(_ index: Int32, _ kind: Overlap.Kind) {
    guard directory[slots[index].place].isMixed else {
      // What had another kind has made way for this work.
      directory[slots[index].place].kind = kind
      return
    }
    guard let (site, kind) = overlapLine(of: index) else { return }
    book.mixed[slots[index].place]?.arrived(site, kind)
  }

  /// Work of an id has settled. To be called only where the id is mixed.
  mutating func lineLeft(_ index: Int32) {
    guard let (site, kind) = overlapLine(of: index) else { return }
    let place = slots[index].place
    book.mixed[place]?.left(site, kind)
    guard book.mixed[place]?.isEmpty == true else { return }
    book.mixed[place] = nil
    directory[place].isMixed = false
  }

  private func newestWork(of site: CallSite, differingFrom kind: Overlap.Kind, at place: Int32) -> EffectRun? {
    for index in members(at: place).reversed() {
      if let work = description(of: slots[index].work), work.overlap.kind != kind, "\(work.site)" == "\(site)" {
        return work
      }
    }
    return nil
  }

  /// All work of an id: what is active, what is queued, and what waits for its time.
  private func members(at place: Int32) -> [Int32] {
    peers.members(of: directory[place].live) + peers.members(of: directory[place].queue)
      + peers.members(of: directory[place].waiting)
  }

  private func overlapLine(of index: Int32) -> (CallSite, Overlap.Kind)? {
    switch slots[index].work {
    case .run(let operation): (operation.site, operation.overlap.kind)
    case .tree(_, let label): (label.site, label.overlap.kind)
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }

  /// Work belongs to a tree of its id that is around it: compares the kinds of overlap, though its own decides nothing
  /// (rule E6).
  mutating func noteOverlap(of work: Slots.Work, _ overlap: Overlap, inside tree: Int32) {
    guard let older = description(of: slots[tree].work), older.overlap.kind != overlap.kind,
      let newer = description(of: work)
    else { return }
    let conflict = OverlapConflict(newer: newer, older: older)
    guard book.conflicts.insert(conflict.key).inserted else { return }
    commands.append(.report(EffectFailure(error: conflict, run: newer)))
  }

  /// What work under an id is, for a report; a tree is described as a run would be.
  func description(of work: Slots.Work) -> EffectRun? {
    switch work {
    case .run(let operation): EffectRun(operation)
    case .tree(_, let label):
      EffectRun(id: label.id, overlap: label.overlap, fileID: label.site.fileID, line: UInt(label.site.line))
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }
}
