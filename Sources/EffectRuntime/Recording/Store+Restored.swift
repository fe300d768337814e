// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// A store that was restored from a ``Journal``, and continues it.
public struct RestoredStore<R: Reducer>: Sendable {
  /// The store.
  public let store: Store<R>
  /// Writes the journal.
  public let recorder: StoreRecorder
  /// What was found in the journal.
  public let report: JournalReport

  @usableFromInline
  init(store: Store<R>, recorder: StoreRecorder, report: JournalReport) {
    self.store = store
    self.recorder = recorder
    self.report = report
  }
}

extension Store {
  /// Makes a store with the last state of a journal, and continues the journal.
  ///
  /// The state is that of the last checkpoint, changed by the actions since then: the reducer reduces them once more, and
  /// their effects are discarded. Then the journal begins with a new checkpoint, written by this version of the codec.
  ///
  /// A restored state may describe work, for example an upload that is under way. That work ended with its process. So the
  /// first action that the store reduces is `action`, and the reducer returns for it the effects that are to be active in
  /// this state, or corrects the state. No other action can be sent before. If no state was restored, because there was no
  /// journal or its checkpoint is damaged, the action is not sent.
  ///
  /// - Ordering: a turn is in the journal before its effects begin, and before code that waits for it (`finish`,
  ///   `request`, `delivered`) continues. Work that was interrupted is started again, so it happens at least once: give
  ///   each request to a server a key by which the server detects a repetition.
  /// - Lifetime: the store uses the file until `shutdown` returns, or until ``StoreRecorder/stop()``. Then another store can be
  ///   restored from it. A store that is only released uses it for a moment longer.
  /// - Isolation: usable from anywhere. Reading, decoding and reducing happen on the store's isolation, and so does
  ///   writing later: the store waits for it, and for the disk with ``JournalSync/everyTurn`` and at each checkpoint.
  /// - Errors: a file that was cut off or changed is restored up to that place; see ``RestoredStore/report``. If the bytes of
  ///   the checkpoint are damaged, the store begins with the initial state, and the report says so. A damaged file is
  ///   first copied.
  /// - Complexity: O(actions since the checkpoint). Later O(1) for each action, plus the encoding and a write, and
  ///   the encoding of the state at each checkpoint.
  ///
  /// - Parameters:
  ///   - journal: the file, the codec, and when it is synced.
  ///   - initialState: the state if none is restored.
  ///   - reducer: the feature's logic. How an action is reduced must depend only on the state and the action.
  ///   - action: the first action of a store that was restored.
  ///   - isolation: where to reduce; see ``init(initialState:reducer:isolation:clock:carrying:onFailure:)``.
  ///   - clock: the clock of runs, and of ``JournalSync/every(_:)``.
  ///   - carried: the task-locals that runs have as the sender of their action had them; see ``CarriedValue``.
  ///   - onFailure: receives failures of effects, as for other stores.
  ///   - onJournalFailure: called on any thread; the text of the error says what is lost. An error of the disk ends the
  ///     journal, and the store continues without it. An action that cannot be encoded loses nothing, because a checkpoint
  ///     of the state behind its turn replaces it; the same error is reported once. If the state cannot be encoded either,
  ///     the turns are missing until a later state can be; this is reported each time it begins.
  /// - Returns: the store, its journal, and what was found.
  /// - Throws: ``RecordingError`` if the file is in use, or cannot be read or written; ``RecordingDecodingError`` if the
  ///   codec cannot read a state or action; the error of the codec if it cannot encode the initial state. The file then has
  ///   its former content, or the same state as a new checkpoint. A file with the ending `.new` may remain.
  @inlinable
  public static func restored(
    from journal: Journal<R.State, R.Action>, initialState: sending R.State, reducer: sending R,
    resumingWith action: R.Action, isolation: any Actor = OwnIsolation(),
    clock: any Clock<Duration> = ContinuousClock(), carrying carried: [CarriedValue] = [],
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil,
    onJournalFailure: @escaping @Sendable (any Error) -> Void
  ) async throws -> RestoredStore<R> {
    let store = Store(
      initialState: initialState, reducer: reducer, isolation: isolation, clock: clock, carrying: carried,
      onFailure: onFailure)
    return try await store.restore(journal, resumingWith: action, onJournalFailure)
  }

  @usableFromInline
  func restore(
    _ journal: Journal<R.State, R.Action>, resumingWith action: R.Action,
    _ onJournalFailure: @escaping @Sendable (any Error) -> Void
  ) throws -> RestoredStore<R> {
    let file = try RecordingFile(path: journal.path)
    return try restore(journal, in: file, copy: file.keepCopy, resumingWith: action, onJournalFailure)
  }

  /// The same with any disk, and a function that keeps a copy of damaged content and says where. Call it before anything is
  /// sent to this store.
  func restore(
    _ journal: Journal<R.State, R.Action>, in disk: any RecordingDisk, copy: ([UInt8]) throws -> String,
    resumingWith action: R.Action, _ onJournalFailure: @escaping @Sendable (any Error) -> Void
  ) throws -> RestoredStore<R> {
    let bytes = try disk.read()
    let content = try JournalContent(bytes)
    var state = core.value.engine.state
    let counter = core.value.engine.stackCounter
    var report = try content.restore(&state, with: core.value.engine.reducer, journal.codec, counter)
    let recorder = StoreRecorder(
      disk, .replacing(every: journal.actionsPerCheckpoint), sync: journal.sync, version: journal.codec.version,
      time: mailbox.time, onFailure: onJournalFailure)
    // If a restored state cannot be encoded, its journal stays as it is. Without this, no store could be restored from it.
    let encoded = Result { try counter.count { try journal.codec.encodeState(state) } }
    if !report.isRestored { _ = try encoded.get() }
    if case .damaged = report.end, let bytes { report.copy = try copy(bytes) }
    switch encoded {
    case .success(let bytes): try recorder.checkpoint(bytes)
    case .failure(let error): recorder.beginBehind(error)
    }
    core.value.engine.state = state
    begin(recorder, journal.codec, notesRuns: false, notesChanges: false)
    if report.isRestored { send(action) }
    return RestoredStore(store: self, recorder: recorder, report: report)
  }
}
