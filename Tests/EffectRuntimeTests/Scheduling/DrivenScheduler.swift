// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

@testable import EffectRuntime

/// A scheduler and the actions of its turn, without a state and a reducer: the calls of an engine, one by one.
struct DrivenScheduler<Action: Sendable> {
  var scheduler: Scheduler
  private(set) var followUps = FollowUps<Action>()

  init(now: @escaping @Sendable () -> Duration = { .zero }) {
    scheduler = Scheduler(now: now)
  }

  mutating func reduced(_ effect: Effect<Action>) { followUps.interpret(effect, in: &scheduler) }

  mutating func nextFollowUp() -> Action? { followUps.next(in: &scheduler) }

  mutating func endTurn() {
    scheduler.turn.isOpen = false
    guard scheduler.turn.root != .none else { return }
    after { $0.settleTurn() }
  }

  /// An event that is not an action, and the steps that follow from it.
  mutating func after(_ event: (inout Scheduler) -> Void) {
    event(&scheduler)
    followUps.interpretParts(in: &scheduler)
  }
}
