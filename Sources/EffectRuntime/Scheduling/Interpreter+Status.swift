// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Status

extension Interpreter {
  /// What the work of an id is doing (rule S1).
  package func status(of id: EffectID) -> EffectStatus { registry.status(of: id) }

  /// Whether work of an id runs.
  package func isRunning(_ id: EffectID) -> Bool { registry.isRunning(id) }

  /// Whether a cancel of the same would reach anything that runs.
  package func isRunning(_ selection: Cancellation) -> Bool { registry.isRunning(selection) }

  /// The work that a cancel of the same would reach, and what has yet to return.
  package func effects(_ selection: Cancellation) -> LiveEffects { registry.effects(selection) }

  /// Keeps the outcomes of an id from now on, for one caller more.
  mutating func keepOutcomes(of id: EffectID) { registry.keepOutcomes(of: id) }

  /// Keeps them for one caller fewer; returns what is forgotten with the last, whose release may run user code.
  mutating func releaseOutcomes(of id: EffectID) -> OutcomeLog.Entry? { registry.releaseOutcomes(of: id) }

  /// Whether changes of statuses are noted.
  var isStatusObserved: Bool {
    get { registry.book.isObserved }
    set { registry.book.isObserved = newValue }
  }

  /// The ids whose status may have changed since the last call, in that order.
  mutating func takeStatusChanges() -> [StatusBook.Change] { registry.book.takeChanges() }

  /// Of how many ids outcomes are kept; for tests that they are released.
  var keptCount: Int { registry.book.outcomes.count }
}
