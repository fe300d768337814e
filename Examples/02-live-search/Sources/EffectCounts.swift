// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// How many searches have started, how many were replaced by the next one, and how much of what came too late was dropped.
struct EffectCounts: Equatable, Sendable {
  var started = 0
  var replaced = 0
  var dropped = 0

  /// Counts an event of the trace; returns whether a number has changed.
  mutating func count(_ event: TraceEvent<some Sendable>) -> Bool {
    switch event.kind {
    case .run(_, .started): started += 1
    case .run(_, .ended(.cancelled(.replaced))): replaced += 1
    case .run(_, .ended(.dropped)), .dropped: dropped += 1
    default: return false
    }
    return true
  }

  /// `6 started, 5 replaced, 3 dropped`; empty before the first search.
  var text: String {
    let parts = [(started, "started"), (replaced, "replaced"), (dropped, "dropped")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
