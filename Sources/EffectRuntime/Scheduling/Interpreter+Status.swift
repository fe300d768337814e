// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Status

extension Interpreter {
  /// What the work of an id is doing (rule S1).
  package func status(of id: EffectID) -> EffectStatus { scheduler.status(of: id) }

  /// Whether work of an id runs.
  package func isRunning(_ id: EffectID) -> Bool { scheduler.isRunning(id) }

  /// Whether a cancel of the same would reach anything that runs.
  package func isRunning(_ selection: Cancellation) -> Bool { scheduler.isRunning(selection) }

  /// The work that a cancel of the same would reach, and what has yet to return.
  package func effects(_ selection: Cancellation) -> LiveEffects { scheduler.effects(selection) }

  /// Keeps the outcomes of an id from now on, for one caller more.
  mutating func keepOutcomes(of id: EffectID) { scheduler.keepOutcomes(of: id) }

  /// Keeps them for one caller fewer; returns what is forgotten with the last, whose release may run user code.
  mutating func releaseOutcomes(of id: EffectID) -> OutcomeLog.Entry? { scheduler.releaseOutcomes(of: id) }

  /// Whether changes of statuses are noted.
  var isStatusObserved: Bool {
    get { scheduler.statuses.isObserved }
    set { scheduler.statuses.isObserved = newValue }
  }

  /// The ids whose status may have changed since the last call, in that order.
  mutating func takeStatusChanges() -> [StatusBook.Change] { scheduler.statuses.takeChanges() }

  /// Of how many ids outcomes are kept; for tests that they are released.
  var keptCount: Int { scheduler.statuses.keptCount }
}
