// This source file is part of swift-effects. License: Apache-2.0.

/// Lists reducers of one state and action, as in ``CombineReducers``; supports `if` and `if let`.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// A reducer of the list.
  ///
  /// - Parameter reducer: what one line of the list makes.
  /// - Returns: the same reducer.
  public static func buildExpression<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }

  /// The first of the list.
  ///
  /// - Parameter first: the first reducer.
  /// - Returns: the same reducer.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }

  /// The next of the list.
  ///
  /// - Parameters:
  ///   - accumulated: the reducers so far.
  ///   - next: the reducer that is called after them.
  /// - Returns: a reducer that calls both and merges their effects.
  public static func buildPartialBlock(
    accumulated: some Reducer<State, Action>, next: some Reducer<State, Action>
  ) -> some Reducer<State, Action> {
    Pair(first: accumulated, second: next)
  }

  /// Reducers that take part under a condition.
  ///
  /// - Parameter reducer: the reducer of an `if` without `else`; `nil` if the condition did not hold when the list was made.
  /// - Returns: a reducer that does nothing if there is none.
  public static func buildOptional<R: Reducer<State, Action>>(_ reducer: R?) -> some Reducer<State, Action> {
    Maybe(reducer: reducer)
  }

  /// The branch of an `if`.
  ///
  /// - Parameter first: the reducer of this branch.
  /// - Returns: the reducer, with its type erased, so that both branches have one type.
  public static func buildEither(first: some Reducer<State, Action>) -> Reduce<State, Action> { Reduce(first) }

  /// The branch of an `else`.
  ///
  /// - Parameter second: the reducer of this branch.
  /// - Returns: the reducer, with its type erased.
  public static func buildEither(second: some Reducer<State, Action>) -> Reduce<State, Action> { Reduce(second) }
}

private struct Pair<First: Reducer, Second: Reducer<First.State, First.Action>>: Reducer {
  let first: First
  let second: Second

  func reduce(into state: inout First.State, action: First.Action) -> Effect<First.Action> {
    let effect = first.reduce(into: &state, action: action)
    return .merge(effect, second.reduce(into: &state, action: action))
  }
}

private struct Maybe<Some: Reducer>: Reducer {
  let reducer: Some?

  func reduce(into state: inout Some.State, action: Some.Action) -> Effect<Some.Action> {
    reducer?.reduce(into: &state, action: action) ?? .none
  }
}
