// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

/// The newest events of a manual shell.
// It has no lock, because only one thread at a time uses a shell.
@usableFromInline
final class TestLog<Action: Sendable> {
  @usableFromInline var kept = NewestEvents<Action>(limit: 1_000)
  /// Whether a cancel has matched nothing.
  @usableFromInline var hasUnmatched = false

  @inlinable
  init() {}

  /// Adds an event. If the log is full, it replaces the oldest one.
  @inlinable
  func add(_ event: TraceEvent<Action>) {
    if case .unmatched = event.kind { hasUnmatched = true }
    // The removed event is released after the access to `kept` has ended: its release may run user code.
    var event: TraceEvent<Action>? = event
    kept.exchange(&event)
  }
}

extension TestLog {
  /// The newest events, in order. If older events were removed, the first event is `lost`, with their number.
  var events: [TraceEvent<any Sendable>] { events { $0 } }

  /// The same events. `known` converts each action to the type of the result.
  func events<Known: Sendable>(_ known: (Action) -> Known) -> [TraceEvent<Known>] { kept.all.map { $0.map(known) } }

  /// The ids under which runs and trees were registered, ordered by their first registration. `isWhole` is `false` if
  /// events were removed, so that ids may be missing.
  var knownIDs: (ids: [EffectID], isWhole: Bool) {
    var ids: [EffectID] = []
    var seen: Set<EffectID> = []
    for event in events {
      guard case .run(let run, _) = event.kind, let id = run.description.id else { continue }
      if seen.insert(id).inserted { ids.append(id) }
    }
    return (ids, kept.lost == 0)
  }
}
