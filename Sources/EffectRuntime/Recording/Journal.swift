// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// A file from which a store is restored after its process has ended: a state (the checkpoint) and the actions since then.
///
/// ```swift
/// let journal = Journal<Uploads.State, Uploads.Action>(
///   path: path, codec: .json, sync: .everyTurn)
/// let restored = try await Store.restored(
///   from: journal, initialState: Uploads.State(), reducer: Uploads(upload: upload), resumingWith: .restored,
///   onJournalFailure: { logger.error("\($0)") })
/// ```
///
/// It is a ``Recording``: `Recording(contentsOfFile:)` reads it, and `Replay` of EffectTesting goes through it.
///
/// This value does nothing by itself; ``Store/restored(from:initialState:reducer:resumingWith:isolation:clock:carrying:onFailure:onJournalFailure:)``
/// reads and writes the file.
///
/// - Isolation: a value; usable from any thread.
public struct Journal<State, Action: Sendable>: Sendable {
  /// Where the file is, or a symbolic link to it. Beside the file there are files with the endings `.lock`, `.new` (while a
  /// checkpoint is written), and `.damaged-1` and so on (a copy for each time it was found damaged; see
  /// ``JournalReport/copy``).
  let path: String
  /// When written data is forced to the disk.
  let sync: JournalSync
  /// Encodes states and actions. Its version is written into the journal.
  let codec: RecordingCodec<State, Action>
  /// After how many actions the next checkpoint replaces the file.
  let actionsPerCheckpoint: Int

  /// Describes a journal.
  ///
  /// - Parameters:
  ///   - path: the file, or a symbolic link to it; both are the same journal. Its folder must exist. Only one store at a
  ///     time, of all processes, can use the file. A file that exists keeps its permissions. A hard link to it keeps the
  ///     content of the moment before the next checkpoint, like a copy.
  ///   - codec: encodes states and actions.
  ///   - sync: when written data is forced to the disk.
  ///   - actions: after how many actions the next checkpoint replaces the file. With a smaller number, a restored store
  ///     reduces fewer actions, and states are written more often. A number below one counts as one.
  public init(
    path: String, codec: RecordingCodec<State, Action>, sync: JournalSync, checkpointEvery actions: Int = 1_000
  ) {
    self.path = path
    self.sync = sync
    self.codec = codec
    actionsPerCheckpoint = max(1, actions)
  }

  /// Reads the last state and writes nothing: for a full disk, a folder that cannot be written, or a file that a store uses.
  ///
  /// ```swift
  /// let (state, report) = try journal.read(initialState: Uploads.State(), reducer: Uploads(upload: upload))
  /// ```
  ///
  /// It is the state with which a restored store begins, before it reduces its first action. A damaged file is not copied.
  ///
  /// - Parameters:
  ///   - initialState: the state if none can be read.
  ///   - reducer: the feature's logic. It reduces the actions since the checkpoint, and their effects are discarded.
  /// - Returns: the state, and what was found.
  /// - Throws: ``RecordingError`` if the file cannot be read; ``RecordingDecodingError`` if the codec cannot read a part.
  /// - Isolation: reads and reduces where it is called, and blocks the thread meanwhile.
  /// - Complexity: O(size of the file).
  public func read<R: Reducer>(
    initialState: State, reducer: R
  ) throws -> (state: State, report: JournalReport) where R.State == State, R.Action == Action {
    var state = initialState
    let report = try JournalContent(FileBytes.readIfPresent(path)).restore(&state, with: reducer, codec)
    return (state, report)
  }
}

/// When a ``Journal`` forces to the disk what it has written.
///
/// With every policy a turn (an action and its follow-ups) is handed to the system as one piece, before its effects
/// begin and before code that waits for it continues. So if the process ends, even by `kill -9`, at most the turn that
/// is being reduced is lost, and what was accepted and not reduced: what ``StoreTask/finish()`` has waited for is not. (A turn that is suspended, rule T5, is written in parts.) The policies differ when the
/// machine stops: by a power failure, or a failure of the system. A disk that reports data as written when it is not may
/// lose more.
public enum JournalSync: Hashable, Sendable {
  /// Each turn is on the disk before its effects begin: at most the turn that is being reduced is lost.
  case everyTurn
  /// A sync begins this long after the first turn that it writes: at most the turns of this time and of one sync are lost.
  ///
  /// The time is measured by the store's clock.
  case every(Duration)
  /// The system decides when to write: at most the turns since the last checkpoint are lost.
  case system
}

/// What was found in a journal; a part of ``RestoredStore``.
public struct JournalReport: Hashable, Sendable {
  /// Whether a state was restored. If `false`, the store began with its initial state.
  public let isRestored: Bool
  /// The version of the codec that wrote it; `nil` if nothing was restored.
  package let codecVersion: Int?
  /// How many actions since the checkpoint were reduced to restore the state.
  public let actions: Int
  /// How the file ended.
  public let end: End
  /// Where a copy of the damaged journal is; `nil` if it was not damaged. At most nine copies are kept: the first eight, and
  /// the last one.
  public internal(set) var copy: String?

  /// How a journal ended.
  public enum End: Hashable, Sendable {
    /// With a whole turn, or there was no file.
    case whole
    /// In the middle of a turn, which was left out. This is normal if the process or the machine stopped during the turn.
    case unfinished
    /// At a place that was changed: what came before was restored. With ``JournalSync/every(_:)`` and
    /// ``JournalSync/system`` a power failure can cause this in data that was not synced.
    case damaged(Recording.Damage)
  }
}
