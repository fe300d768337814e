// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Synchronization

/// What a listener keeps for each active run.
///
/// A store reports events to its listeners one after the other. The lock is for two stores that share an adapter, and
/// for the compiler.
final class LiveRuns<Value: Sendable>: Sendable {
  private let values = Mutex<[TraceRun: Value]>([:])

  subscript(run: TraceRun) -> Value? {
    get { values.withLock { $0[run] } }
    set { values.withLock { $0[run] = newValue } }
  }
}

extension TraceRun {
  /// Its name or its id, for counting and grouping: `rows/3/search`, without the quotes of its description.
  var label: String { description.name ?? description.id.map { "\($0)".filter { $0 != "\"" } } ?? "unnamed" }
}

extension EffectOutcome {
  /// One word, the same for every error.
  var word: String {
    switch self {
    case .finished: "finished"
    case .handled: "handled"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .dropped: "dropped"
    }
  }
}
