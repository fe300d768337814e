// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What a shell performs after a call of its engine: first the notes, then the steps, then the releases. Of the steps it
/// performs the cancels first, then the others from left to right (rule E8). A shell reports the next input only after it has
/// performed all of them.
@usableFromInline
package struct EngineOutputs<Action: Sendable> {
  /// What listeners are notified of, without times. Empty while there is none.
  @usableFromInline package var notes: [TraceEvent<Action>] = []
  /// What the shell does.
  @usableFromInline package var steps: [EngineOutput] = []
  /// Work that has settled, and errors and outcomes that are not needed any more. Their release may run user code, such as the
  /// `deinit` of a captured object.
  @usableFromInline package var released: [Released] = []

  /// Makes outputs with nothing to do.
  @inlinable
  package init() {}

  /// Whether there is nothing to do.
  @inlinable
  package var isEmpty: Bool { notes.isEmpty && steps.isEmpty && released.isEmpty }
}
