// This source file is part of swift-effects. License: Apache-2.0.

/// Writes what a store does: into memory, into a file, or into the journal that the store was restored from.
///
/// Made by ``Store/record(with:checkpoints:changes:to:)``, and a part of ``RestoredStore``. A turn (an action and its
/// follow-ups) is written as one piece when it ends, before its effects begin. A turn that is suspended (rule T5) is written in
/// parts.
///
/// - Lifetime: writes until ``stop()``, or until the store has been shut down or released. It does not keep the store alive.
/// - Isolation: usable from any thread.
public final class StoreRecorder: Sendable {
  private struct Log {
    var book: RecordingBook
    /// The error that has ended the recording.
    var failure: (any Error)?
    /// The error because of which something is missing in what was written.
    var gap: (any Error)?
    /// The first action of this turn that cannot be encoded.
    var missed: NotEncoded?
    /// Which errors of the codec were reported although nothing is lost.
    var reported: Set<String> = []
    var listening: TraceListening?
    var hasStopped = false
    /// A turn is being written. If the recorder is stopped meanwhile, the end of the turn closes the disk.
    var isWriting = false
    /// The disk is closed; before that, everything was synced that had to be.
    var isClosed = false
    /// Something was written that is not synced, and a later sync is scheduled.
    var isSyncDue = false
    /// Waits until the sync is due.
    var syncTask: Task<Void, Never>?
    /// How many syncs have begun and not returned, and how many turns are being written that are synced after that.
    var syncsUnderWay = 0
  }

  /// How many different errors are reported by which nothing is lost.
  private static let reportLimit = 100

  private let log: Lock<Log>
  private let disk: any RecordingDisk
  private let sync: JournalSync
  private let version: Int
  private let time: TimeSource
  private let onFailure: @Sendable (any Error) -> Void

  /// - Parameters:
  ///   - disk: where to write.
  ///   - checkpoints: when states are written.
  ///   - sync: when what was written is forced to the disk.
  ///   - version: of the codec.
  ///   - time: of the store.
  ///   - onFailure: called once with the error that ends the recording, and for what the codec cannot encode.
  init(
    _ disk: any RecordingDisk, _ checkpoints: RecordingBook.Checkpoints, sync: JournalSync, version: Int,
    time: TimeSource, onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    log = Lock(Log(book: RecordingBook(checkpoints)))
    self.disk = disk
    self.sync = sync
    self.version = version
    self.time = time
    self.onFailure = onFailure
  }

  /// What has been written so far, read from memory or from the file.
  ///
  /// - Throws: what ``Recording/init(contentsOfFile:)`` throws, if the file was removed or changed.
  /// - Isolation: blocks its thread while it reads a file.
  /// - Complexity: O(its size).
  public var recording: Recording {
    get throws {
      guard let bytes = try disk.read() else { throw RecordingError.noInitialState("its file was removed") }
      return try Recording(parsing: bytes)
    }
  }

  /// The error because of which something is missing in what was written, also if this is not the end of it; `nil` if
  /// everything is there.
  ///
  /// After an error of the disk nothing more is written. A journal with a state that cannot be encoded continues with the next
  /// state that can, and then this is `nil` again.
  public var failure: (any Error)? { log.withLock { $0.failure ?? $0.gap } }

  /// Ends the recording: when this returns, what was written is on the disk, except with ``JournalSync/system``, and another
  /// store can use the file. (If the store is writing a turn on another thread, it can when that turn is written.)
  ///
  /// A turn that is being reduced is left out. The end of the store calls this function. Called again, it does nothing; but
  /// while another call has not returned, it waits for the disk as well. If the disk fails, this is the ``failure``, and is
  /// reported to `onJournalFailure`, unless an error was reported before.
  ///
  /// - Isolation: callable on any thread; blocks it while the disk writes.
  public func stop() {
    let (listening, task, mustSync) = log.withLock { log in
      defer { (log.hasStopped, log.listening, log.syncTask, log.isSyncDue) = (true, nil, nil, false) }
      // If another thread performs a sync, a second sync here waits for the same data. A sync that has failed calls this
      // function too, but is not counted any more.
      let mustSync = !log.isClosed && (log.isSyncDue || log.syncsUnderWay > 0)
      if mustSync { log.syncsUnderWay += 1 }
      return (log.listening, log.syncTask, mustSync)
    }
    task?.cancel()
    if mustSync { performSync() }
    let canClose = log.withLock { log in
      if !log.isWriting { log.isClosed = true }
      return log.isClosed
    }
    if canClose { disk.close() }
    // Last, because until then the end of the store calls this function.
    listening?.cancel()
  }

  // MARK: - Writing, on the store's isolation

  func began(_ listening: TraceListening) {
    let hasStopped = log.withLock { log in
      if !log.hasStopped { log.listening = listening }
      return log.hasStopped
    }
    if hasStopped { listening.cancel() }
  }

  func checkpoint(_ state: [UInt8]) throws {
    try disk.replace(Recording.bytes(initialState: state, codecVersion: version))
    log.withLock { log in
      log.book.replaced()
      log.gap = nil
    }
  }

  /// Whether the state after the next action is written behind it.
  var wantsState: Bool { log.withLock { $0.book.wantsState } }

  func add(_ step: Recording.Step) {
    log.withLock { if !$0.hasStopped { $0.book.reduced(step) } }
  }

  func add(_ note: String, at time: Duration) {
    log.withLock { if !$0.hasStopped { $0.book.noted(note, at: time) } }
  }

  /// An action cannot be encoded. This ends a recording, in which each action matters. In a journal the state behind the turn
  /// will replace the action.
  func missed(_ error: any Error, from cause: Recording.Cause) {
    let isJournal = log.withLock { log in
      if log.hasStopped { return log.book.isReplaced }
      log.book.missed()
      if log.missed == nil { log.missed = NotEncoded(.action(cause), error) }
      return log.book.isReplaced
    }
    if !isJournal { fail(error) }
  }

  /// The state to write behind an action; `nil` if it cannot be encoded, which is then the failure.
  func state(_ encodedState: () throws -> [UInt8]) -> [UInt8]? {
    do { return try encodedState() } catch {
      log.withLock { if $0.gap == nil { $0.gap = error } }
      return nil
    }
  }

  /// Begins with a journal whose state cannot be encoded: its file stays as it is until a later state can be.
  func beginBehind(_ error: any Error) {
    let failure = NotEncoded(.state, error, .turnsAreMissing)
    log.withLock { log in
      log.book.fallBehind()
      log.gap = failure
    }
    onFailure(failure)
  }

  /// Writes what was reduced since the last call. Call it when no turn is open, before the effects of the turn begin, and
  /// before code that waits for it continues. The closure gives the state for a checkpoint.
  func endTurn(_ encodedState: () throws -> [UInt8]) {
    let isSynced = sync != .system
    let turn = log.withLock { log in
      let turn = log.hasStopped ? nil : log.book.endTurn()
      if turn != nil { log.isWriting = true }
      if turn != nil, isSynced { log.syncsUnderWay += 1 }
      return turn
    }
    guard let turn else { return }
    let result = Result { try write(turn, encodedState) }
    let hasStopped = log.withLock { log in
      log.isWriting = false
      if isSynced { log.syncsUnderWay -= 1 }
      return log.hasStopped
    }
    if case .failure(let error) = result { fail(error) } else if hasStopped { stop() }
  }

  private func write(
    _ turn: (bytes: [UInt8], isCheckpointDue: Bool), _ encodedState: () throws -> [UInt8]
  ) throws {
    if !turn.bytes.isEmpty { try disk.append(turn.bytes) }
    let missed = log.withLock { log in
      defer { log.missed = nil }
      return log.missed
    }
    if turn.isCheckpointDue, let state = dueState(encodedState, missed) {
      try checkpointAfterTurn(state)
      if let missed { reportOnce(missed) }
      return
    }
    if turn.bytes.isEmpty { return }
    switch sync {
    case .everyTurn: try disk.sync()
    case .every(let duration): syncLater(duration)
    case .system: break
    }
  }

  /// Replaces the file by a checkpoint, which contains the turn. If that fails, the turn is only in the former file, which is
  /// then synced, except with ``JournalSync/system``.
  private func checkpointAfterTurn(_ state: [UInt8]) throws {
    do { try checkpoint(state) } catch {
      if sync != .system { try? disk.sync() }
      throw error
    }
  }

  /// The state for a checkpoint; `nil` if it cannot be encoded, which is reported.
  private func dueState(_ encodedState: () throws -> [UInt8], _ missed: NotEncoded?) -> [UInt8]? {
    do { return try encodedState() } catch {
      let isBehind = log.withLock { log in
        if !log.book.isBehind { log.book.postponed() }
        return log.book.isBehind
      }
      guard isBehind else {
        reportOnce(NotEncoded(.state, error))
        return nil
      }
      let failure = NotEncoded(.state, error, .turnsAreMissing, after: missed)
      let isFirst = log.withLock { log in
        defer { if log.gap == nil { log.gap = failure } }
        return log.gap == nil
      }
      if isFirst { onFailure(failure) }
      return nil
    }
  }

  /// Reports an error by which nothing is lost. The same error may come with each action, so it is reported once.
  private func reportOnce(_ error: NotEncoded) {
    let isFirst = log.withLock { log in
      log.reported.count < Self.reportLimit && log.reported.insert(error.key).inserted
    }
    if isFirst { onFailure(error) }
  }

  func fail(_ error: any Error) {
    let isFirst = log.withLock { log in
      defer { if log.failure == nil { log.failure = error } }
      return log.failure == nil
    }
    stop()
    if isFirst { onFailure(error) }
  }

  // MARK: - Syncing later

  private func syncLater(_ duration: Duration) {
    let isFirst = log.withLock { log in
      defer { log.isSyncDue = true }
      return !log.isSyncDue
    }
    guard isFirst else { return }
    // If the store ends meanwhile, `stop` syncs.
    let task = Task.detached { [weak self, time] in
      try? await time.sleep(for: duration)
      self?.syncNow()
    }
    let hasStopped = log.withLock { log in
      if !log.hasStopped { log.syncTask = task }
      return log.hasStopped
    }
    if hasStopped { task.cancel() }
  }

  private func syncNow() {
    // Set to `false` before the sync, because what is written during the sync needs another one.
    let isDue = log.withLock { log in
      defer { log.isSyncDue = false }
      if log.isSyncDue { log.syncsUnderWay += 1 }
      return log.isSyncDue
    }
    guard isDue else { return }
    performSync()
  }

  /// Syncs the disk. The caller has counted this sync as under way.
  private func performSync() {
    let result = Result { try disk.sync() }
    log.withLock { $0.syncsUnderWay -= 1 }
    if case .failure(let error) = result { fail(error) }
  }
}
