// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Registry {
  /// Work arrives at its place: compares its kind of overlap with that of whom it meets (rule O1).
  mutating func noteOverlap(of work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    guard directory[place].kind != overlap.kind else { return }
    directory[place].kind = overlap.kind
    let counts = directory[place].counts
    if counts.running + counts.queued + counts.waiting > 0 {
      noteConflict(of: work, overlap, at: place)
    }
  }

  private mutating func noteConflict(of work: Slots.Work, _ overlap: Overlap, at place: Int32) {
    let (live, queue, waiting) = (directory[place].live, directory[place].queue, directory[place].waiting)
    for index in [waiting.last, queue.last, live.last, waiting.first, queue.first, live.first] where index >= 0 {
      guard let older = description(of: slots[index].work), older.overlap.kind != overlap.kind,
        let newer = description(of: work)
      else { continue }
      let conflict = OverlapConflict(newer: newer, older: older)
      guard book.conflicts.insert(conflict.key).inserted else { return }
      return commands.append(.report(EffectFailure(error: conflict, run: newer)))
    }
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
