// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The mutable part of an ``ExploredStore``, in memory of its own, where accesses are not checked for overlaps: these
/// checks made a fifth of a schedule's cost. There are no overlaps: what a reducer or a property calls has no access to
/// the store.
@usableFromInline
struct ExploredCore<R: Reducer> {
  @usableFromInline var engine: Engine<R>
  /// The answers of the engine that are being performed.
  @usableFromInline var outputs = EngineOutputs<R.Action>()
  @usableFromInline var batch: [Message<R.Action>] = []
  @usableFromInline var position = 0
  /// Ends of runs whose closures have returned. They may be taken at any time: a run does nothing after its end, so a
  /// message that is posted later may be taken before the end.
  @usableFromInline var ends: [(token: Token, error: (any Error)?)] = []
  /// The runs of which an action was taken, in this schedule.
  @usableFromInline var senders: [Token] = []
  /// The run whose action is being handled.
  @usableFromInline var sender = Token.none
  /// Runs whose end was taken at once, because the time makes no difference.
  @usableFromInline var absorbed: [Token] = []
  /// Each id with the overlap that its work has declared, if ends are taken at once.
  @usableFromInline var overlaps: [(id: EffectID, overlap: Overlap)] = []
  @usableFromInline var script: ScriptSteps<R.Action>
  @usableFromInline var properties: ExploredProperties<R.State>

  init(engine: Engine<R>, script: ScriptSteps<R.Action>, properties: ExploredProperties<R.State>) {
    self.engine = engine
    self.script = script
    self.properties = properties
  }
}

extension ExploredStore: ManualShell {
  @inlinable var state: R.State { _read { yield core.value.engine.state } }
  @inlinable var engine: Engine<R> {
    _read { yield core.value.engine }
    _modify { yield &core.value.engine }
  }
  @inlinable var outputs: EngineOutputs<Action> {
    _read { yield core.value.outputs }
    _modify { yield &core.value.outputs }
  }
  @inlinable var batch: [Message<Action>] {
    _read { yield core.value.batch }
    _modify { yield &core.value.batch }
  }
  @inlinable var position: Int {
    _read { yield core.value.position }
    _modify { yield &core.value.position }
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
}
