// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

/// A reducer whose effects are discarded: that of a fork.
public struct WithoutEffects<Base: Reducer & Sendable>: Reducer, Sendable {
  private let base: Base

  /// Wraps a reducer.
  public init(_ base: Base) {
    self.base = base
  }

  /// Reduces the action; no effect follows.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    _ = base.reduce(into: &state, action: action)
    return .none
  }
}
