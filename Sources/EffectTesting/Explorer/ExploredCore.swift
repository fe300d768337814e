// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// What changes in an ``ExploredStore``, in memory of its own, where accesses are not checked for overlaps: looking that up
/// made a fifth of a schedule's cost. There are none: what a reducer or a property calls does not know of the store.
@usableFromInline
struct ExploredCore<R: Reducer> {
  @usableFromInline var state: R.State
  @usableFromInline var reducer: R
  @usableFromInline var interpreter: Interpreter<R.Action>
  @usableFromInline var batch: [Message<R.Action>] = []
  @usableFromInline var position = 0
  @usableFromInline var taken: UInt64 = 0
  /// Ends of runs whose closures have returned, and that are taken when they like: nothing comes behind them that a run
  /// does, so whatever is posted later may be taken before.
  @usableFromInline var ends: [(token: Token, error: (any Error)?)] = []
  /// Runs whose end was taken at once, because that makes no difference.
  @usableFromInline var absorbed: [Token] = []
  /// Each id with the overlap that work of it has declared, where ends are taken at once.
  @usableFromInline var overlaps: [(id: EffectID, overlap: Overlap)] = []
  @usableFromInline var script: ScriptSteps<R.Action>
  @usableFromInline var properties: ExploredProperties<R.State>
  /// Swapped with what the interpreter collects, so that neither is allocated anew.
  @usableFromInline var commands: [Command] = []
  @usableFromInline var garbage: [Released] = []

  init(
    state: R.State, reducer: R, interpreter: Interpreter<R.Action>, script: ScriptSteps<R.Action>,
    properties: ExploredProperties<R.State>
  ) {
    self.state = state
    self.reducer = reducer
    self.interpreter = interpreter
    self.script = script
    self.properties = properties
  }
}

extension ExploredStore {
  @inlinable var state: R.State {
    _read { yield core.value.state }
    _modify { yield &core.value.state }
  }
  @inlinable var reducer: R {
    _read { yield core.value.reducer }
    _modify { yield &core.value.reducer }
  }
  @inlinable var interpreter: Interpreter<Action> {
    _read { yield core.value.interpreter }
    _modify { yield &core.value.interpreter }
  }
  @inlinable var batch: [Message<Action>] {
    _read { yield core.value.batch }
    _modify { yield &core.value.batch }
  }
  @inlinable var position: Int {
    _read { yield core.value.position }
    _modify { yield &core.value.position }
  }
  @inlinable var taken: UInt64 {
    _read { yield core.value.taken }
    _modify { yield &core.value.taken }
  }
  @inlinable var ends: [(token: Token, error: (any Error)?)] {
    _read { yield core.value.ends }
    _modify { yield &core.value.ends }
  }
  @inlinable var script: ScriptSteps<Action> {
    _read { yield core.value.script }
    _modify { yield &core.value.script }
  }
  @inlinable var properties: ExploredProperties<R.State> {
    _read { yield core.value.properties }
    _modify { yield &core.value.properties }
  }
  @inlinable var commands: [Command] {
    _read { yield core.value.commands }
    _modify { yield &core.value.commands }
  }
  @inlinable var garbage: [Released] {
    _read { yield core.value.garbage }
    _modify { yield &core.value.garbage }
  }
}
