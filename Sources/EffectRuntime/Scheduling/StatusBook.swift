// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What a registry keeps for queries and observers of statuses.
struct StatusBook: Sendable {
  /// How work ended, of the ids whose outcomes are kept.
  var outcomes = OutcomeLog()
  /// Somebody observes statuses; otherwise no change is noted.
  var isObserved = false
  /// The ids whose status has changed since this was taken last, in that order, and what it was before.
  var changes: [Change] = []
  private var changed: Set<EffectID> = []
  /// What becomes of work that is cancelled because of the input at hand.
  var reason = EffectOutcome.cancelled(.byEffect)
  /// The pairs of lines whose overlaps were found to differ.
  var conflicts: Set<String> = []
  /// The ids, by their places, whose work has different kinds of overlap.
  var mixed: [Int32: OverlapLines] = [:]

  struct Change: Sendable {
    let id: EffectID
    let before: EffectStatus
  }

  /// Notes an id that is about to change, once.
  mutating func note(_ id: EffectID, before: (EffectID) -> EffectStatus) {
    guard changed.insert(id).inserted else { return }
    changes.append(Change(id: id, before: before(id)))
  }

  mutating func takeChanges() -> [Change] {
    // After a burst the memory is given back: to empty it takes as long as it is large.
    changed.removeAll(keepingCapacity: changed.count <= 1_024)
    defer { changes = [] }
    return changes
  }
}
