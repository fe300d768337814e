// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Monoids

extension Effect {
  /// Runs several effects at the same time, as one effect.
  ///
  /// - Ordering: interpreted from left to right: a `cancel` reaches what is before it, `send`s join the turn in order.
  ///   Actions of one run arrive in the order sent; between runs no order is promised.
  /// - Cancellation: each run keeps its own id; ``cancellable(id:overlap:fileID:line:)`` names the whole.
  /// - Errors: a run that fails does not end the others.
  /// - Complexity: O(*n*) in the number of effects; nested merges are not copied.
  /// - Laws: `merge([])` is `none`; `merge([e])` is `e`; `none` vanishes; nesting does not matter. Origin: Elm's
  ///   `Cmd.batch`.
  /// - Parameter effects: the effects, in the order in which they are interpreted.
  /// - Returns: one effect of all of them.
  @inlinable
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Runs several effects at the same time, as one effect; see `merge(_:)`.
  ///
  /// - Complexity: O(*n*) in the number of effects.
  /// - Parameter effects: the effects, in the order in which they are interpreted. The array may be empty.
  /// - Returns: one effect of all of them.
  @inlinable
  public static func merge(_ effects: [Effect]) -> Effect {
    branch(effects) { .merge($0) }
  }

  /// Runs several effects one after another, as one effect.
  ///
  /// - Ordering: a part starts when the one before it has settled (rule E2). A run has settled when none of its actions
  ///   can be reduced any more. A `send` has settled when its action has been reduced, and the effect of the action
  ///   interpreted. Runs that these actions start are not waited for.
  /// - Cancellation: a part that was cancelled counts as settled: the next one starts. Cancelling an id around the
  ///   whole, its scope, or its dispatch, stops the rest.
  /// - Errors: a part that failed counts as settled: the next one starts.
  /// - Complexity: O(*n*) in the number of effects; nested sequences are not copied.
  /// - Laws: `concatenate([])` is `none`; `concatenate([e])` is `e`; `none` vanishes; nesting does not matter.
  /// - Parameter effects: the effects, from the first to the last.
  /// - Returns: one effect of all of them.
  @inlinable
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Runs several effects one after another, as one effect; see `concatenate(_:)`.
  ///
  /// - Complexity: O(*n*) in the number of effects.
  /// - Parameter effects: the effects, from the first to the last. The array may be empty.
  /// - Returns: one effect of all of them.
  @inlinable
  public static func concatenate(_ effects: [Effect]) -> Effect {
    branch(effects) { .concatenate($0) }
  }
}
