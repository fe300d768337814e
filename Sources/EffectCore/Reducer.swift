// This source file is part of swift-effects. License: Apache-2.0.

/// A feature's logic: how an action changes the state, and what work it requests.
///
/// ```swift
/// struct Counter: Reducer {
///   struct State: Equatable { var count = 0 }
///   enum Action: Sendable { case increment }
///
///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
///     switch action {
///     case .increment:
///       state.count += 1
///       return .none
///     }
///   }
/// }
/// ```
///
/// Dependencies are stored properties. `State` need not be `Sendable`; actions cross isolations, so they must be.
///
/// - Ordering: a store calls `reduce` for one action at a time and never re-entrantly (rule T1).
/// - Isolation: `reduce` runs on the store's executor. In modules whose default isolation is the main actor, reducers
///   and the types nested in them work as they are. Top-level types used in a state, as an id or as an input, and free
///   functions that `reduce` calls, must be `nonisolated`. Otherwise the compiler reports "main actor-isolated
///   conformance of 'Item' to 'Equatable' cannot be used in nonisolated context", sometimes without a line.
/// - Errors: reducers do not throw; put work that can fail into an effect.
/// - Origin: Elm's `update`, Redux's reducer with effects as data.
public protocol Reducer<State, Action>: SendableMetatype {
  /// The state of the feature.
  associatedtype State
  /// What can happen to the feature.
  associatedtype Action: Sendable

  /// Changes the state in response to one action and returns the work that follows from it.
  ///
  /// Keep it pure: no I/O, no waiting. What takes time is described by the returned effect and runs later, never
  /// inside this call (rule T4). Sending to the store from here only enqueues.
  ///
  /// - Parameters:
  ///   - state: the state to change, in place. The store shows it when the call has returned.
  ///   - action: what has happened.
  /// - Returns: the work to start or cancel; `.none` if there is none.
  func reduce(into state: inout State, action: Action) -> Effect<Action>
}
