// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What the bytes of a journal mean.
struct JournalContent {
  /// The checkpoint and the whole turns since then; `nil` if there is nothing to restore.
  private(set) var recording: Recording?
  /// How the bytes end.
  private(set) var end = JournalReport.End.whole

  /// Reads a journal; `nil` stands for a file that does not exist.
  ///
  /// - Throws: ``RecordingError/unsupportedVersion(_:)``.
  /// - Complexity: O(size).
  init(_ bytes: [UInt8]?) throws(RecordingError) {
    guard let bytes else { return }
    var recording: Recording
    do throws(RecordingError) {
      recording = try Recording(parsing: bytes)
    } catch .notARecording {
      end = .damaged(Recording.Damage(line: 1, reason: "is not the first line of a journal"))
      return
    } catch .noInitialState(let reason) {
      end = .damaged(Recording.Damage(line: 2, reason: "is not the beginning of a complete state: \(reason)"))
      return
    }
    if recording.unfinishedCount > 0 { end = .unfinished }
    recording.removeUnfinished()
    if let damage = recording.damage {
      end = damage.reason == Recording.Damage.cutOff ? .unfinished : .damaged(damage)
    }
    self.recording = recording
  }

  /// Makes the state of the journal: that of the checkpoint, changed by the actions. Effects are discarded.
  ///
  /// - Parameter counter: counts the ids of stacks as the store did that has written the journal.
  /// - Returns: a report. `state` is not changed if there is nothing to restore, or if this throws.
  /// - Throws: ``RecordingError/unknownVersion(_:known:)``; ``RecordingDecodingError``, with what the codec has thrown.
  /// - Complexity: O(actions since the checkpoint).
  func restore<R: Reducer>(
    _ state: inout R.State, with reducer: R, _ codec: RecordingCodec<R.State, R.Action>,
    _ counter: StackCounter = StackCounter()
  ) throws -> JournalReport {
    guard let recording else {
      return JournalReport(isRestored: false, codecVersion: nil, actions: 0, end: end)
    }
    let reader = try codec.reader(of: recording.codecVersion)
    var restored = try counter.count { try recording.decodeInitialState(with: reader) }
    for index in recording.steps.indices {
      let action = try recording.decodeAction(index, with: reader)
      _ = counter.count { reducer.reduce(into: &restored, action: action) }
    }
    state = restored
    return JournalReport(
      isRestored: true, codecVersion: recording.codecVersion, actions: recording.steps.count, end: end)
  }
}
