// This source file is part of swift-effects. License: Apache-2.0.

/// Which user code an engine is calling. A query from this code traps, because the engine is being changed meanwhile.
@usableFromInline
package enum EnginePhase: Sendable {
  /// None.
  case resting
  /// The reducer is called, and may change the state.
  case reducing
  /// Ids and inputs may be compared, conditions of cancels and retries called, and actions, effects and ids released.
  case comparing
}
