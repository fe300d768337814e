// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

/// What a test store remembers of what happened.
// It keeps the notes of the engine as they are, and makes events of them when they are read: a test that passes reads
// none. Without the lock that a ring needs that several threads share.
@usableFromInline
final class TestLog<Action: Sendable> {
  @usableFromInline
  struct Entry {
    @usableFromInline let note: EngineNote<Action>
    @usableFromInline let time: Duration

    @inlinable
    init(_ note: EngineNote<Action>, at time: Duration) {
      self.note = note
      self.time = time
    }
  }

  @usableFromInline var entries: [Entry] = []
  /// Where the oldest entry is, once there are as many as are kept.
  @usableFromInline var oldest = 0
  /// How many entries were removed.
  @usableFromInline var lost = 0
  /// Whether a cancel has matched nothing.
  @usableFromInline var hasUnmatched = false

  @inlinable
  init() {}

  @inlinable static var limit: Int { 1_000 }

  @inlinable
  func add(_ note: EngineNote<Action>, at time: Duration) {
    if note.isUnmatched { hasUnmatched = true }
    var entry = Entry(note, at: time)
    if entries.count < Self.limit { return entries.append(entry) }
    // The removed entry is released after the access to the entries: the release of an action may run user code.
    swap(&entry, &entries[oldest])
    oldest = oldest + 1 == Self.limit ? 0 : oldest + 1
    lost += 1
  }
}

extension TestLog {
  /// The newest events, the oldest of them first; before these the number of lost events, if any.
  var events: [TraceEvent<any Sendable>] { events { $0 } }

  /// The same with actions of another type.
  func events<Known: Sendable>(_ known: (Action) -> Known) -> [TraceEvent<Known>] {
    var events = (entries[oldest...] + entries[..<oldest]).map { entry in
      TraceEvent(number: entry.note.number, time: entry.time, cause: entry.note.cause, kind: entry.note.kind(known))
    }
    if lost > 0, let first = events.first {
      events.insert(TraceEvent(number: first.number - 1, time: first.time, cause: nil, kind: .lost(lost)), at: 0)
    }
    return events
  }

  /// The ids under which runs and trees were registered, ordered by their first registration; and whether these are
  /// all.
  var knownIDs: (ids: [EffectID], isWhole: Bool) {
    var ids: [EffectID] = []
    var seen: Set<EffectID> = []
    for event in events {
      guard case .run(let run, _) = event.kind, let id = run.description.id else { continue }
      if seen.insert(id).inserted { ids.append(id) }
    }
    return (ids, lost == 0)
  }
}
