// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What is recorded for queries and observers of statuses: the outcomes of some ids, and the ids whose status changes.
struct StatusBook: Sendable {
  /// The outcomes that are kept.
  private var outcomes = OutcomeLog()
  private var observed = false
  private var changes: [Change] = []
  /// The ids in `changes`.
  private var changed: Set<EffectID> = []

  /// An id whose status may have changed, and what it was before.
  struct Change: Sendable {
    let id: EffectID
    let before: EffectStatus
  }

  /// Whether changes are recorded. While it is false, a change costs one comparison.
  var isObserved: Bool {
    get { observed }
    set { observed = newValue }
  }

  /// Whether the outcomes of any id are kept.
  var keepsOutcomes: Bool { !outcomes.isEmpty }

  /// The number of ids whose outcomes are kept.
  var keptCount: Int { outcomes.count }

  /// Whether changes have been recorded since ``takeChanges()``.
  var hasChanges: Bool { !changes.isEmpty }

  // MARK: - Changes

  /// Records that the status of an id may change, once for each ``takeChanges()``.
  ///
  /// - Parameter before: the status until now.
  mutating func willChange(_ id: EffectID, from before: EffectStatus) {
    guard changed.insert(id).inserted else { return }
    changes.append(Change(id: id, before: before))
  }

  /// Returns the ids whose status may have changed since the last call, in that order.
  mutating func takeChanges() -> [Change] {
    // Frees the memory after a burst: emptying a set takes time in proportion to its capacity.
    changed.removeAll(keepingCapacity: changed.count <= 1_024)
    defer { changes = [] }
    return changes
  }

  // MARK: - Outcomes

  /// Where the outcomes of an id are kept; `nil` if they are not.
  func outcomeIndex(of id: EffectID) -> Int32? { outcomes.find(id) }

  /// The outcome of the work of an id that settled last.
  func lastOutcome(of id: EffectID) -> EffectStatus.LastOutcome {
    guard let index = outcomes.find(id) else { return .notKept }
    return outcomes.outcome(of: index).map { .ended($0) } ?? .noneYet
  }

  /// Keeps the outcomes of an id for one more caller.
  ///
  /// - Returns: where they are kept.
  mutating func keep(_ id: EffectID) -> Int32 { outcomes.keep(id) }

  /// Keeps them for one caller less.
  ///
  /// - Returns: what was kept, if that was the last caller. Its release may run user code.
  mutating func release(_ id: EffectID) -> OutcomeLog.Entry? { outcomes.release(id) }

  /// Records how work ended.
  ///
  /// - Returns: the outcome that this one replaces. Its release may run user code.
  mutating func record(_ outcome: EffectOutcome, at index: Int32) -> EffectOutcome? {
    outcomes.record(outcome, of: index)
  }
}
