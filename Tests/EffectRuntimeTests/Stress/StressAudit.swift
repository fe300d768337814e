// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization
import TestSupport

@testable import EffectRuntime

extension StressSubject {
  /// What may be lost in the whole store.
  private var reasons: LossReasons {
    switch config.ending {
    case .release: .released
    case .draining: []
    case .cancelling, .drainingWithin, .hurried, .waiterCancelled: .shutdown
    }
  }

  /// Checks that every accepted action was reduced once, or is lost by a named rule. Called when the store is no longer
  /// in use.
  func audit() -> StressCounts {
    var counts = StressCounts()
    for stream in journal.streams.withLock({ $0 }) { audit(stream, &counts) }
    for run in journal.records { audit(run, &counts) }
    counts[.reduced] = journal.reduced
    counts[.followUps] = journal.followUps
    counts[.failures] = journal.failures.withLock { $0 }
    counts[.answered] = journal.answered.value
    counts[.stores] = 1
    switch config.place {
    case .own: counts[.ownStores] = 1
    case .main: counts[.mainStores] = 1
    case .queue: counts[.queueStores] = 1
    }
    switch config.ending {
    case .cancelling: counts[.cancelling] = 1
    case .draining: counts[.draining] = 1
    case .drainingWithin: counts[.drainingWithin] = 1
    case .hurried: counts[.hurried] = 1
    case .waiterCancelled: counts[.waiterCancelled] = 1
    case .release: counts[.releases] = 1
    }
    if config.isTraced { auditTrace(&counts) }
    return counts
  }

  private func audit(_ stream: ActionStream, _ counts: inout StressCounts) {
    counts[.sent] += stream.issued
    counts[.accepted] += stream.accepted
    counts[.refused] += stream.refused
    counts[.unsure] += stream.unsure
    if stream.wasAcceptedAfterRefusal { findings.add("accepted after a refusal (L4)") }
    // Actions whose sender was not notified may have been accepted or not.
    let taken = stream.accepted...(stream.accepted + stream.unsure)
    if stream.reduced > taken.upperBound { findings.add("\(stream.reduced) reduced, \(taken) accepted") }
    let lost = stream.accepted - stream.reduced
    guard lost > 0 else { return }
    let allowed =
      stream.run.map { reasons.union($0.allReasons).union(stream.mayLose) } ?? reasons.intersection(.released)
    if allowed.isEmpty {
      findings.add(
        "lost without a reason: \(lost) of \(stream.accepted) of "
          + "\(stream.run.map { "\($0.order.kind) \($0.order.shape) \($0.name)" } ?? "a sender"); \(description)")
    }
    counts.addLost(lost, allowed)
    // Actions sent after the store has ended are no longer reported.
    let isToldAll = config.isTraced && !allowed.contains(.released) && !stream.mayLose.contains(.ended)
    if isToldAll, !taken.contains(stream.reduced + stream.dropped) {
      findings.add("\(taken) accepted, \(stream.reduced) reduced, \(stream.dropped) told to be dropped (V1)")
    }
  }

  private func audit(_ run: RunRecord, _ counts: inout StressCounts) {
    counts[.asked] += 1
    let calls = run.calls.load(ordering: .sequentiallyConsistent)
    counts[calls > 0 ? .called : .neverCalled] += 1
    let allowed = reasons.union(run.allReasons)
    if run.isAwaited, !run.isFollowed, allowed.isEmpty { findings.add("never followed: \(run.order.kind) (E6)") }
    // Overlaps that never leave out a run.
    let isSure = [-1, 1, 2, 10].contains(run.name)
    if isSure, calls == 0, allowed.isEmpty, run.order.kind != .timer { findings.add("never called: \(run.name) (O1)") }
  }

  private func auditTrace(_ counts: inout StressCounts) {
    counts[.traced] = 1
    counts.add(journal.told.counts)
    guard config.ending != .release else { return }
    if journal.told.reduced != journal.reduced {
      findings.add("\(journal.reduced) reduced, \(journal.told.reduced) told (V1)")
    }
    if journal.told.open > 0 { findings.add("\(journal.told.open) runs have no end (V1)") }
    if !journal.told.hasEnded { findings.add("the end is not told (V1)") }
  }
}
