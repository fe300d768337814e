// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// For a store that shuts down.
extension Interpreter {
  /// The runs that are active, or wait.
  package var liveRuns: [EffectRun] {
    scheduler.inside(NameDirectory.root, sparing: .none).compactMap { description(of: scheduler.workTree.token($0)) }
  }

  /// Cancels ids from outside of any reduction. Opens a turn, because work that waited for their runs goes on now.
  package mutating func cancel(ids: Set<EffectID>, because reason: EffectOutcome.CancelReason = .byEffect) {
    if !scheduler.turn.isOpen { scheduler.openTurn() }
    scheduler.cancel(.ids(ids), within: .none, because: reason)
    goOn()
  }

  /// Runs that the turn at hand still causes do not start: its dispatch was cancelled while the turn was suspended.
  package mutating func refuseRuns() {
    scheduler.workTree.refuse(scheduler.dispatch().slot)
  }
}
