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
    log.events.compactMap { $0.typed() }
  }
}

extension TraceEvent where Action == any Sendable {
  /// The same with the type of the actions.
  func typed<Known: Sendable>() -> TraceEvent<Known>? {
    let kind: TraceEvent<Known>.Kind
    switch self.kind {
    case .accepted(let action as Known, let source): kind = .accepted(action, source)
    case .reduced(let action as Known, let source): kind = .reduced(action, source)
    case .dropped(let action as Known, let source): kind = .dropped(action, source)
    case .refused(let action as Known, let site): kind = .refused(action, site)
    case .run(let run, let event): kind = .run(run, event)
    case .unmatched(let effect): kind = .unmatched(effect)
    case .status(let id, let status): kind = .status(id, status)
    case .dispatchCancelled(let number): kind = .dispatchCancelled(number)
    case .turnSuspended(let actions): kind = .turnSuspended(actions: actions)
    case .budgetExceeded(let steps): kind = .budgetExceeded(steps: steps)
    case .shutdown(let stage): kind = .shutdown(stage)
    case .lost(let count): kind = .lost(count)
    case .accepted, .reduced, .dropped, .refused: return nil
    }
    return TraceEvent<Known>(number: number, time: time, cause: cause, kind: kind)
  }
}
