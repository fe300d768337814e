// This source file is part of swift-effects. License: Apache-2.0.

/// Lists reducers of one state and action, as in ``CombineReducers``; supports `if` and `if let`.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// A reducer of the list.
  public static func buildExpression<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }

  /// The first of the list.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }

  /// The next of the list.
  public static func buildPartialBlock(
    accumulated: some Reducer<State, Action>, next: some Reducer<State, Action>
  ) -> some Reducer<State, Action> {
    Pair(first: accumulated, second: next)
  }

  /// Reducers that take part under a condition.
  public static func buildOptional<R: Reducer<State, Action>>(_ reducer: R?) -> some Reducer<State, Action> {
    Maybe(reducer: reducer)
  }

  /// The branch of an `if`.
  public static func buildEither(first: some Reducer<State, Action>) -> Reduce<State, Action> { Reduce(first) }

  /// The branch of an `else`.
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
