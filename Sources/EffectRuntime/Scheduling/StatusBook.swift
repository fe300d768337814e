// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The ids whose status changes, for observers.
struct StatusBook: Sendable {
  /// Whether changes are recorded. While it is false, a change costs one comparison.
  var isObserved = false
  private var changes: [Change] = []
  /// The ids in `changes`.
  private var changed: Set<EffectID> = []

  /// An id whose status may have changed, and what it was before.
  struct Change: Sendable {
    let id: EffectID
    let before: EffectStatus
  }

  /// Whether changes have been recorded since ``takeChanges()``.
  var hasChanges: Bool { !changes.isEmpty }

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
}
