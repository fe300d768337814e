// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension ObservableStore {
  /// The value of a field now, as by its name. For a field that has the name of a member of the store: `store.status`
  /// is the method, and `store[\.status]` the field.
  ///
  /// - Parameter keyPath: the path from the state to the field.
  public subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value { node.value(keyPath) }

  /// Makes a store that keeps a state, for the preview of a view. Actions that are sent to it change nothing.
  ///
  /// ```swift
  /// #Preview { RowView(row: .preview(Row.State(title: "Swift"))) }
  /// ```
  ///
  /// Such a preview needs no dependencies. For a preview that reacts to actions, make a store with a reducer, with
  /// dependencies for the preview and the clock `.immediate`.
  ///
  /// - Parameter state: the state that it shows.
  /// - Returns: a store that keeps this state.
  public static func preview(_ state: State) -> ObservableStore {
    ObservableStore(initialState: state, reducer: Reduce<State, Action> { _, _ in .none })
  }
}
