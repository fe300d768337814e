// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

/// The newest events of a manual shell.
// It keeps the notes of the engine as they are, and makes events of them only when they are read: most tests that pass read
// none. It has no lock, because only one thread at a time uses a shell.
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
  /// The index of the oldest entry. It stays 0 until the log is full.
  @usableFromInline var oldest = 0
  /// How many entries were removed.
  @usableFromInline var lost = 0
  /// Whether a cancel has matched nothing.
  @usableFromInline var hasUnmatched = false

  @inlinable
  init() {}

  /// How many entries are kept.
  @inlinable static var limit: Int { 1_000 }

  /// Adds a note. If the log is full, the note replaces the oldest entry.
  @inlinable
  func add(_ note: EngineNote<Action>, at time: Duration) {
    if note.unmatched != nil { hasUnmatched = true }
    var entry = Entry(note, at: time)
    if entries.count < Self.limit { return entries.append(entry) }
    // The removed entry is released after the access to `entries` has ended: its release may run user code.
    swap(&entry, &entries[oldest])
    oldest = oldest + 1 == Self.limit ? 0 : oldest + 1
    lost += 1
  }
}

extension TestLog {
  /// The newest events, in order. If older events were removed, the first event is `lost`, with their number.
  var events: [TraceEvent<any Sendable>] { events { $0 } }

  /// The same events. `known` converts each action to the type of the result.
  func events<Known: Sendable>(_ known: (Action) -> Known) -> [TraceEvent<Known>] {
    var events = (entries[oldest...] + entries[..<oldest]).map { entry in
      TraceEvent(number: entry.note.number, time: entry.time, cause: entry.note.cause, kind: entry.note.kind(known))
    }
    if lost > 0, let first = events.first {
      events.insert(TraceEvent(number: first.number - 1, time: first.time, cause: nil, kind: .lost(lost)), at: 0)
    }
    return events
  }

  /// The ids under which runs and trees were registered, ordered by their first registration. `isWhole` is `false` if
  /// events were removed, so that ids may be missing.
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
