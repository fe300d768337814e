// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension TestStore {
  /// What has happened so far, as a ``/EffectRuntime/Store/trace`` would report it: the newest 1,000 events.
  ///
  /// An action of a run is `accepted` when it is held, and `reduced` when the test receives it. If older events were removed,
  /// the first event is `lost`, with their number. The store keeps the actions of these events in memory.
  ///
  /// - Complexity: O(number of events).
  public var trace: [TraceEvent<R.Action>] {
    log.events { $0 }
  }
}
