// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime

/// What a test store remembers of what happened.
// Not generic over the action, because the metadata of its type would be looked up for each event. Without the lock
// that a ring needs that several threads share.
@usableFromInline
final class TestLog {
  private static let limit = 1_000
  private var book = TraceBook<any Sendable>()
  /// Whether a cancel has matched nothing.
  @usableFromInline private(set) var hasUnmatched = false

  deinit { book.free() }

  /// The newest events, the oldest of them first; before these the number of lost events, if any.
  var events: [TraceEvent<any Sendable>] { book.noteOfLost.map { [$0] + book.events } ?? book.events }

  @usableFromInline
  func add(_ kind: TraceEvent<any Sendable>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    if case .unmatched = kind { hasUnmatched = true }
    _ = book.append(TraceEvent(number: number, time: time, cause: cause, kind: kind), Self.limit)
  }
}

extension TestLog {
  /// The ids under which runs and trees were registered, ordered by their first registration; and whether these are
  /// all.
  var knownIDs: (ids: [EffectID], isWhole: Bool) {
    var ids: [EffectID] = []
    var seen: Set<EffectID> = []
    var isWhole = true
    for event in events {
      switch event.kind {
      case .run(let run, _):
        if let id = run.description.id, seen.insert(id).inserted { ids.append(id) }
      case .lost:
        isWhole = false
      default:
        break
      }
    }
    return (ids, isWhole)
  }
}
