// This source file is part of swift-effects. License: Apache-2.0.

/// What an action is for the history of an ``Undoable`` state: one step, a part of a step, or no step.
///
/// - Isolation: a value; usable from any thread.
public struct UndoStep: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case single
    case grouped(EffectID)
    case notUndoable
  }

  let kind: Kind

  /// The action is a step of its own.
  public static let single = UndoStep(kind: .single)

  /// The action is not a step: it changes the present state, and undo and redo are possible as before.
  ///
  /// Use it for what the user did not do, above all for answers of runs. If an answer were a step, redo would end.
  public static let notUndoable = UndoStep(kind: .notUndoable)

  /// Consecutive actions with an equal key are one step: letters that are typed, or the positions of a drag.
  ///
  /// A step with another key, or ``single``, begins a new step, and so do undo and redo. Actions that are
  /// ``notUndoable`` do not.
  ///
  /// - Parameter key: what the actions have in common: for example the field that is edited.
  /// - Returns: the step.
  public static func grouped(by key: some Hashable & Sendable) -> UndoStep {
    UndoStep(kind: .grouped(EffectID(key)))
  }
}

extension UndoStep: CustomStringConvertible {
  /// `single`, `grouped(by: "typing")`, `notUndoable`.
  public var description: String {
    switch kind {
    case .single: "single"
    case .grouped(let key): "grouped(by: \(key))"
    case .notUndoable: "notUndoable"
    }
  }
}
