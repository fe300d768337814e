// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension TestStore {
  /// What has happened so far, as a ``/EffectRuntime/Store/trace`` would report it: the newest 1,000 events.
  ///
  /// An action that is received is `accepted` when its run sends it and `reduced` when the test receives it. The test
  /// store keeps it until then, as well as the actions of the other events.
  ///
  /// - Complexity: O(number of events).
  public var trace: [TraceEvent<R.Action>] {
    log.events { $0 }
  }
}
