// This source file is part of swift-effects. License: Apache-2.0.

/// A reducer made of a closure, for logic too small for a type of its own.
///
/// ```swift
/// let toggle = Reduce<Bool, Void> { isOn, _ in
///   isOn.toggle()
///   return .none
/// }
/// ```
///
/// - Isolation: as for any ``Reducer``; the closure is called on the store's executor.
public struct Reduce<State, Action: Sendable>: Reducer {
  private let body: (inout State, Action) -> Effect<Action>

  /// Makes a reducer of a closure.
  ///
  /// - Parameter body: changes the state and returns the work that follows. Called for every action of the store, one
  ///   at a time.
  public init(_ body: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.body = body
  }

  /// Wraps a reducer; useful where two reducers must have the same type.
  ///
  /// - Parameter reducer: the reducer to wrap. A call of the wrapper costs one more call of a closure.
  public init(_ reducer: some Reducer<State, Action>) {
    body = reducer.reduce(into:action:)
  }

  /// Calls the closure.
  ///
  /// - Parameters:
  ///   - state: the state to change.
  ///   - action: what happened.
  /// - Returns: what the closure returned.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body(&state, action)
  }
}
