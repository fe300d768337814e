// This source file is part of swift-effects. License: Apache-2.0.

/// Compares each state with the one before; kept by the listener that uses it.
// SAFETY: used by one listener, which is called on the store's isolation only; released anywhere, as a store's state is.
@usableFromInline
final class StateFollower<State>: @unchecked Sendable {
  private var last: State

  @usableFromInline
  init(_ first: State) {
    last = first
  }

  /// The difference to the state of the last call.
  @usableFromInline
  func difference(to state: State) -> StateDifference {
    defer { last = state }
    return StateDifference(from: last, to: state)
  }
}
