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
  public init(_ body: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.body = body
  }

  /// Wraps a reducer; useful where two reducers must have the same type.
  public init(_ reducer: some Reducer<State, Action>) {
    body = reducer.reduce(into:action:)
  }

  /// Calls the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body(&state, action)
  }
}
