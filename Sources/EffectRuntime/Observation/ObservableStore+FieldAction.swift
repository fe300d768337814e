// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension ObservableStore where Action: FieldAction<State> {
  /// A field that can be assigned to, for `$store.field` of a `@Bindable` store.
  ///
  /// An assignment sends `.field(keyPath, value)`; only the reducer changes the state. If the action does not list the
  /// field as writable, nothing is sent, and a failure is reported; see ``/EffectCore/FieldAction``.
  ///
  /// - Parameter keyPath: the path to a field of the state that can be written.
  /// - Ordering: as ``send(_:)``: the action is reduced when the assignment is done, so a text field loses no
  ///   characters. During a reduction or a notification it waits its turn.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: any WritableKeyPath<State, Value> & Sendable
  ) -> Value {
    get { node.value(keyPath) }
    set { node.assign(keyPath, newValue) }
  }
}

extension ScopeNode where Action: FieldAction<State> {
  /// Sends the change of a field, or reports that the field may not be changed in this way.
  func assign<Value: Equatable & Sendable>(_ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value) {
    let change = FieldChange(keyPath, value)
    if let writable = Action.writableFields, !writable.contains(where: { ($0 as AnyKeyPath) == keyPath }) {
      let error = FieldNotWritable(change: "\(change)", action: "\(Action.self)")
      root.report(EffectFailure(error: error, run: EffectRun(name: "assignment")))
    } else {
      _ = sendOwn(.field(change))
    }
  }
}
