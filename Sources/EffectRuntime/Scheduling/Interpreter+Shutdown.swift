// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// What a store asks for that comes to its end.
extension Interpreter {
  /// The runs that are active, or wait.
  package var liveRuns: [EffectRun] {
    scheduler.inside(NameDirectory.root, sparing: .none).compactMap { description(of: scheduler.workTree.token($0)) }
  }

  /// Cancels ids from outside of any reduction. Opens a turn, because what waited behind their runs goes on now.
  package mutating func cancel(ids: Set<EffectID>, because reason: EffectOutcome.CancelReason = .byEffect) {
    if !scheduler.turn.isOpen { scheduler.openTurn() }
    scheduler.cancel(.ids(ids), within: .none, because: reason)
    goOn()
  }

  /// What the turn at hand still causes does not start: its dispatch has been cancelled while it was put aside.
  package mutating func refuseRuns() {
    scheduler.workTree.refuse(scheduler.dispatch().slot)
  }
}
