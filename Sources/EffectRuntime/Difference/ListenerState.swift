// This source file is part of swift-effects. License: Apache-2.0.

/// The state of a listener, kept by its closure.
// SAFETY: used by one listener, which is called on the store's isolation only. It may be released on any thread, like the
// state of a store.
final class ListenerState<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension ListenerState {
  /// The difference between the last state and `state`, which is the last state from now on.
  func difference(to state: Value) -> StateDifference {
    defer { value = state }
    return StateDifference(from: value, to: state)
  }
}
