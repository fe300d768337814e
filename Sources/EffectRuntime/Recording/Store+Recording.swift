// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store {
  /// Records from now on: every action that is reduced, with its cause, and what happens to runs.
  ///
  /// ```swift
  /// let recorder = try await store.record(with: codec)
  /// ...
  /// let recording = try recorder.recording
  /// ```
  ///
  /// - Parameters:
  ///   - codec: encodes states and actions.
  ///   - checkpoints: after how many actions the state is written again. With 1 it is written after each action, and a replay
  ///     finds exactly the action at which a changed reducer differs. With 0 it is never written, which costs least.
  ///   - changes: whether to record a note for each action with what it changed in the state. The note begins with
  ///     `changed:`, and a reader of it needs no reducer. It costs a comparison of the states; see ``StateDifference``.
  ///   - path: a file to record to, or a symbolic link to it. It is replaced if it exists, and its folder must exist. Each turn
  ///     is handed to the system before its effects begin, and before code that waits for it continues. Without a path, the
  ///     recording is kept in memory.
  /// - Returns: the recorder, from which you read the recording. If you discard it, a recording to a file continues until the
  ///   store ends.
  /// - Throws: what encoding the first state throws; ``RecordingError/unwritable(path:reason:)`` if the file cannot be written;
  ///   ``RecordingError/inUse(path:)`` if another recorder uses it. Later, an error of the disk and an
  ///   action that cannot be encoded end the recording, and a state that cannot be encoded is left out; see
  ///   ``StoreRecorder/failure``.
  /// - Ordering: begins with the state at the time of the call; what was accepted before and not reduced is recorded.
  /// - Isolation: the store's; encoding, opening the file and writing happen there, and the store waits for them. Inside
  ///   `reduce` it traps.
  /// - Complexity: O(1) for each action, plus the encoding and a write to the file; or else the memory of everything that is
  ///   recorded.
  @discardableResult
  public func record(
    with codec: RecordingCodec<R.State, R.Action>, checkpoints: Int = 1, changes: Bool = false, to path: String? = nil
  ) throws -> StoreRecorder {
    let state = try encodedState(codec)
    let disk: any RecordingDisk = if let path { try RecordingFile(path: path) } else { RecordingMemory() }
    let recorder = StoreRecorder(
      disk, .behindActions(every: checkpoints), sync: .system, version: codec.version, time: mailbox.time,
      onFailure: { _ in })
    try recorder.checkpoint(state)
    begin(recorder, codec, notesRuns: true, notesChanges: changes)
    return recorder
  }

  /// Encodes the present state. Actions that are sent meanwhile are only enqueued, so that no action is reduced between
  /// this and the first event.
  private func encodedState(_ codec: RecordingCodec<R.State, R.Action>) throws -> [UInt8] {
    let state = present
    let counter = core.value.engine.stackCounter
    return try holdingBack { try counter.count { try codec.encodeState(state) } }
  }

  /// Lets a recorder, which has written the present state, write what happens from now on.
  func begin(
    _ recorder: StoreRecorder, _ codec: RecordingCodec<R.State, R.Action>, notesRuns: Bool, notesChanges: Bool
  ) {
    let follower = notesChanges ? ListenerState(present) : nil
    let tell: @Sendable (TraceEvent<R.Action>) -> Void = { [weak self] event in
      switch event.kind {
      case .reduced(let action, let source):
        let cause = Recording.Cause(source)
        do {
          var step = Recording.Step(time: event.time, cause: cause, action: try codec.encodeAction(action))
          if recorder.wantsState, let self {
            step.state = self.assumeIsolated { store in recorder.state { try store.encoded(codec) } }
          }
          recorder.add(step)
        } catch {
          recorder.missed(error, from: cause)
        }
        if let follower, let self {
          let change = self.assumeIsolated { follower.difference(to: $0.core.value.engine.state) }
          if !change.isEmpty { recorder.add("changed: \(change.onOneLine)", at: event.time) }
        }
      case .run where notesRuns: recorder.add("\(event.kind)", at: event.time)
      default: break
      }
      // Any event, because a turn may also end with actions that are dropped.
      self?.assumeIsolated { store in
        if store.core.value.engine.isTurnOpen { return }
        recorder.endTurn { try store.encoded(codec) }
      }
    }
    // It stops before `shutdown` returns, so that the next store can use the file.
    recorder.began(trace.add(TraceListener(isTimed: true, tell: tell, storeEnded: { recorder.stop() })))
    // At once, so that no action is reduced between the first state and the first event.
    refreshListeners()
  }

  private func encoded(_ codec: RecordingCodec<R.State, R.Action>) throws -> [UInt8] {
    try core.value.engine.stackCounter.count { try codec.encodeState(core.value.engine.state) }
  }
}

extension Recording.Cause {
  init(_ source: TraceSource) {
    self =
      switch source {
      case .user(_, let site): .user(site.map { "\($0)" } ?? "")
      case .run(let run): .run(run?.number ?? 0)
      case .followUp: .followUp
      }
  }
}
