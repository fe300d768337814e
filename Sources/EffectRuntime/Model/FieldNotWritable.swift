// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A control or code assigned to a field that the action does not list as writable.
struct FieldNotWritable: Error, CustomStringConvertible {
  /// The field and its new value, as text.
  let change: String
  /// The name of the type of the action.
  let action: String

  var description: String {
    """
    \(change) was assigned, but \(action).writableFields does not contain the field. Nothing was sent. Add the field to \
    the list, or bind it with `binding(_:send:)` and an action of its own.
    """
  }
}
