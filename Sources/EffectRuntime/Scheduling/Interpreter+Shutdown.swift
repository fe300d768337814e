// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// For a store that shuts down.
extension Interpreter {
  /// The runs that are active or wait, without those that were cancelled. O(present work).
  package var liveRuns: [EffectRun] {
    scheduler.inside(NameDirectory.root, sparing: .none).compactMap { description(of: scheduler.workTree.token($0)) }
  }

  /// Cancels the work of ids, not because of an effect. Opens a turn, because work that waited for it continues now.
  package mutating func cancel(ids: Set<EffectID>, because reason: EffectOutcome.CancelReason = .byEffect) {
    if !scheduler.turn.isOpen { scheduler.openTurn() }
    scheduler.cancel(.ids(ids), within: .none, because: reason)
    goOn()
  }

  /// Runs that the turn at hand still causes do not start, because a shutdown has cancelled all work while the turn was
  /// suspended.
  package mutating func refuseRuns() {
    scheduler.workTree.refuse(scheduler.dispatch().slot)
  }
}
