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

  /// The waiters of dispatches that own something which a cancel of everything would reach.
  var waitersOfPresentWork: [Waiter] { scheduler.waitersOfPresentWork }

  /// Whether a shutdown has cancelled all work.
  var isCutShort: Bool { scheduler.isCutShort }

  /// Cancels all work because of a shutdown. Runs that suspended turns still cause do not start.
  mutating func cutShort() {
    scheduler.cutShort()
    cancelEverything(because: .shutdown)
  }
}
