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
    // A recording that was not written as a journal has no version and no turns.
    guard recording.codecVersion != nil else {
      end = .damaged(Recording.Damage(line: 2, reason: "has no version of a codec"))
      return
    }
    let whole = recording.turnEnds.last ?? 0
    if recording.steps.count > whole { end = .unfinished }
    recording.steps.removeSubrange(whole...)
    if let damage = recording.damage {
      // Lines are only appended, so only the last line can be cut off.
      let isCutOff = damage.line == Self.lineCount(bytes) && bytes.last != UInt8(ascii: "\n")
      end = isCutOff ? .unfinished : .damaged(damage)
    }
    self.recording = recording
  }

  private static func lineCount(_ bytes: [UInt8]) -> Int {
    bytes.count { $0 == UInt8(ascii: "\n") } + (bytes.last == UInt8(ascii: "\n") ? 0 : 1)
  }

  /// Makes the state of the journal: that of the checkpoint, changed by the actions. Effects are discarded.
  ///
  /// - Returns: a report. `state` is not changed if there is nothing to restore, or if this throws.
  /// - Throws: ``RecordingError/unknownVersion(_:known:)``; ``RecordingDecodingError``, with what the codec has thrown.
  /// - Complexity: O(actions since the checkpoint).
  func restore<R: Reducer>(
    _ state: inout R.State, with reducer: R, _ codec: RecordingCodec<R.State, R.Action>
  ) throws -> JournalReport {
    guard let recording, let version = recording.codecVersion else {
      return JournalReport(isRestored: false, codecVersion: nil, actions: 0, end: end)
    }
    let reader = try codec.reader(of: version)
    var restored = try recording.decodeInitialState(with: reader)
    for index in recording.steps.indices {
      let action = try recording.decodeAction(index, with: reader)
      _ = reducer.reduce(into: &restored, action: action)
    }
    state = restored
    return JournalReport(isRestored: true, codecVersion: version, actions: recording.steps.count, end: end)
  }

  /// A journal that contains only a state.
  static func checkpoint(_ state: [UInt8], version: Int) -> [UInt8] {
    var recording = Recording(initialState: state)
    recording.codecVersion = version
    return recording.bytes
  }
}

/// Collects the actions of a turn, and makes the lines that a journal writes next.
struct JournalBook {
  private let actionsPerCheckpoint: Int
  /// How many actions of whole turns are in the file.
  private var count = 0
  private var turn: [UInt8] = []
  private var turnCount = 0

  init(actionsPerCheckpoint: Int) {
    self.actionsPerCheckpoint = actionsPerCheckpoint
  }

  /// Adds an action that was reduced.
  mutating func reduced(_ step: Recording.Step) {
    turn += RecordingFormat.line(step, index: count + turnCount)
    turnCount += 1
  }

  /// Ends the turn: call it when no turn is open.
  ///
  /// - Returns: what is to be appended, and whether a checkpoint follows; `nil` if nothing was reduced since the last call.
  mutating func endTurn() -> (bytes: [UInt8], isCheckpointDue: Bool)? {
    guard turnCount > 0 else { return nil }
    count += turnCount
    turnCount = 0
    var bytes: [UInt8] = []
    swap(&bytes, &turn)
    return (bytes + RecordingFormat.line(turnEndAfter: count), count >= actionsPerCheckpoint)
  }

  /// Counts from zero again, because a checkpoint has replaced the file.
  mutating func replaced() { count = 0 }
}
