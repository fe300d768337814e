// This source file is part of swift-effects. License: Apache-2.0.

/// A child that is always there: its actions change its part of the parent's state.
///
/// ```swift
/// Scope(\State.settings, action: settings) { Settings() }          // the same in plain Swift:
/// case .settings(let action):
///   return Settings().reduce(into: &state.settings, action: action).scoped(\State.settings) { .settings($0) }
/// ```
///
/// Ids of the child's work lie inside the key path: `.cancel(scope: \State.settings)` stops all of it. Outside, its
/// `"save"` is `EffectID("save").scoped(by: EffectID(\State.settings))`.
///
/// - Ordering: if several reducers handle the action, the order in which they are listed; see ``CombineReducers``.
/// - Isolation: as for any ``Reducer``.
/// - Complexity: that of the child, plus a key path and a case path; the state is changed in place.
public struct Scope<State, Action: Sendable, Child: Reducer>: Reducer {
  private let state: any WritableKeyPath<State, Child.State> & Sendable
  private let action: CasePath<Action, Child.Action>
  private let position: EffectID
  private let child: Child

  /// Connects a child to a part of the parent's state and to a case of its actions.
  ///
  /// - Parameters:
  ///   - state: where the child's state is. The key path is also the scope of the child's work.
  ///   - action: the case of the parent's actions that holds the child's.
  ///   - child: what reduces the child's state.
  public init<ChildState, ChildAction>(
    _ state: any WritableKeyPath<State, ChildState> & Sendable, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.state = state
    self.action = action
    self.child = child()
    position = EffectID(position: state)
  }

  /// Passes the child its actions; ignores all others.
  ///
  /// - Parameters:
  ///   - state: the parent's state, of which only the child's part is changed.
  ///   - action: the parent's action.
  /// - Returns: the child's effect, scoped; `none` for an action that is not the child's.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard let childAction = self.action.extract(action) else { return .none }
    return child.reduce(into: &state[keyPath: self.state], action: childAction).scoped(position, self.action.embed)
  }
}
