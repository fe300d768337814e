// This source file is part of swift-effects. License: Apache-2.0.

/// Several reducers of one state, called one after another for every action.
///
/// ```swift
/// struct App: Reducer {
///   var parts: some Reducer<State, Action> {
///     CombineReducers {
///       Scope(\State.settings, action: settings) { Settings() }
///       Reduce<State, Action> { state, action in ... }
///     }
///   }
///   func reduce(into state: inout State, action: Action) -> Effect<Action> { parts.reduce(into: &state, action: action) }
/// }
/// ```
///
/// - Ordering: from top to bottom, each with the state that the one above has changed; their effects are merged in this
///   order.
/// - Isolation: as for any ``Reducer``.
/// - Complexity: the sum of its parts.
public struct CombineReducers<Content: Reducer>: Reducer {
  private let content: Content

  /// Combines the reducers of a list.
  ///
  /// - Parameter content: the reducers, from the first to the last. They are made once, now.
  public init<State, Action>(@ReducerBuilder<State, Action> _ content: () -> Content)
  where Content.State == State, Content.Action == Action {
    self.content = content()
  }

  /// Calls each reducer.
  ///
  /// - Parameters:
  ///   - state: the state that each reducer changes, after the reducers listed before it.
  ///   - action: the action that each reducer gets.
  /// - Returns: the effects of all reducers, merged in the order of the list.
  public func reduce(into state: inout Content.State, action: Content.Action) -> Effect<Content.Action> {
    content.reduce(into: &state, action: action)
  }
}
