// This source file is part of swift-effects. License: Apache-2.0.

/// The actions of a feature that can be undone; see ``Reducer/undoable(cancelling:keeping:step:)``.
public enum UndoAction<Action: Sendable>: Sendable {
  /// An action of the feature.
  case edit(Action)
  /// Returns to the state before the last step; without a step it changes nothing.
  case undo
  /// Returns to the state before the last undo; if there is none, or if a step was made since, it changes nothing.
  case redo
}

extension UndoAction: Equatable where Action: Equatable {}
extension UndoAction: Hashable where Action: Hashable {}
