// This source file is part of swift-effects. License: Apache-2.0.

/// Work that a reducer requests, described as a value.
///
/// Building, mapping, printing and comparing effects runs nothing; a store interprets what a reducer returned, right
/// after the reduction, from left to right (rule T4). You can switch over the cases, for example to test a reducer
/// without a store. To build an effect, use `merge(_:)`, `run(id:overlap:name:priority:_:catch:)` and the other
/// functions, which keep trees in normal form.
///
/// - Isolation: a value; usable from any thread.
/// - Complexity: at most 24 bytes for small actions; `.none` and `.send` allocate nothing. Trees a million levels deep
///   are built, mapped, printed, run and released without growing the stack.
/// - Origin: Elm's `Cmd`; redux-loop; effects as values of The Composable Architecture and Mobius.
public enum Effect<Action: Sendable>: Sendable {
  /// Nothing to do. `merge` and `concatenate` leave it out.
  case none

  /// Reduces another action in the same turn, after those already waiting in it (rule T3).
  case send(Action)

  /// Runs a closure off the store's executor.
  case run(Operation)

  /// Several effects at the same time. Build it with `merge(_:)`.
  case merge(Children)

  /// Several effects one after another. Build it with `concatenate(_:)`.
  case concatenate(Children)

  /// Stops work, at once. Build the common case with ``cancel(id:fileID:line:)``.
  case cancel(Cancellation)

  /// A whole tree under one id. Build it with ``cancellable(id:overlap:fileID:line:)``.
  case cancellable(Tree)
}

extension Effect {
  /// Whether there is nothing to do at all.
  @inlinable
  package var isNone: Bool {
    if case .none = self { true } else { false }
  }
}
