// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Status

extension Interpreter {
  /// What the work of an id is doing (rule S1).
  package func status(of id: EffectID) -> EffectStatus { scheduler.status(of: id) }

  /// Whether work of an id is active.
  package func isRunning(_ id: EffectID) -> Bool { scheduler.isRunning(id) }

  /// Whether a cancel of the same selection would reach active work.
  package func isRunning(_ selection: Cancellation) -> Bool { scheduler.isRunning(selection) }

  /// The work that a cancel of the same selection would reach, and cancelled work of the selection that has not
  /// returned.
  package func effects(_ selection: Cancellation) -> LiveEffects { scheduler.effects(selection) }

  /// Whether changes of statuses are noted. If not, a change costs one comparison.
  var isStatusObserved: Bool {
    get { scheduler.statuses.isObserved }
    set { scheduler.statuses.isObserved = newValue }
  }

  /// The ids whose status may have changed since the last call, in that order.
  mutating func takeStatusChanges() -> [StatusBook.Change] { scheduler.statuses.takeChanges() }
}
