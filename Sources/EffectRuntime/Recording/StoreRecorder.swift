// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Records what a store does; made by ``Store/record(with:checkpoints:changes:to:)``.
///
/// - Lifetime: records until ``stop()``, or until the store has been shut down or released. It does not keep the store
///   alive.
/// - Isolation: usable from any thread.
public final class StoreRecorder: Sendable {
  private struct Book {
    var steps: [Step] = []
    var notes: [Recording.Note] = []
    /// How many actions have been recorded.
    var count = 0
    var failure: (any Error)?
    var listening: TraceListening?
    var hasStopped = false
  }

  /// A step whose cause has not been converted to text.
  private struct Step {
    let time: Duration
    let source: TraceSource
    let action: [UInt8]
    let state: [UInt8]?

    var recorded: Recording.Step {
      Recording.Step(time: time, cause: Recording.Cause(source), action: action, state: state)
    }
  }

  private let book = Lock(Book())
  private let initialState: [UInt8]
  private let file: RecordingFile?

  init(initialState: [UInt8], file: RecordingFile?) throws(RecordingError) {
    self.initialState = initialState
    self.file = file
    try file?.write(Array("\(RecordingFormat.header)\n".utf8) + RecordingFormat.line(state: initialState))
  }

  /// What has been recorded so far. If it is written to a file, this has only the first state.
  ///
  /// - Complexity: O(its size).
  public var recording: Recording {
    let (steps, notes) = book.withLock { ($0.steps, $0.notes) }
    return Recording(initialState: initialState, steps: steps.map(\.recorded), notes: notes)
  }

  /// The error that ended the recording: of the codec or of the file, which may be a pipe that has no reader any more.
  public var failure: (any Error)? { book.withLock { $0.failure } }

  /// Ends the recording. Called twice, or when the store has ended, it does nothing.
  ///
  /// If the store records an action at this moment on another thread, that action may still be recorded.
  public func stop() {
    let listening = book.withLock { book in
      book.hasStopped = true
      defer { book.listening = nil }
      return book.listening
    }
    listening?.cancel()
  }

  // MARK: - Listening

  func began(_ listening: TraceListening) {
    let hasStopped = book.withLock { book in
      if !book.hasStopped { book.listening = listening }
      return book.hasStopped
    }
    if hasStopped { listening.cancel() }
  }

  /// Whether the state after the next action is to be recorded.
  func wantsState(_ checkpoints: Int) -> Bool {
    checkpoints > 0 && book.withLock { ($0.count + 1) % checkpoints == 0 }
  }

  func add(_ action: [UInt8], from source: TraceSource, at time: Duration, state: [UInt8]?) {
    let step = Step(time: time, source: source, action: action, state: state)
    let index: Int? = book.withLock { book in
      if book.hasStopped { return nil }
      book.count += 1
      if file == nil { book.steps.append(step) }
      return book.count - 1
    }
    guard let file, let index else { return }
    var lines = RecordingFormat.line(step.recorded, index: index)
    if let state { lines += RecordingFormat.line(after: state) }
    write(lines, to: file)
  }

  func add(_ text: String, at time: Duration) {
    let note: Recording.Note? = book.withLock { book in
      if book.hasStopped { return nil }
      let note = Recording.Note(after: book.count, time: time, text: text)
      if file == nil { book.notes.append(note) }
      return note
    }
    if let file, let note { write(RecordingFormat.line(note), to: file) }
  }

  private func write(_ lines: [UInt8], to file: RecordingFile) {
    do throws(RecordingError) { try file.write(lines) } catch { fail(error) }
  }

  func fail(_ error: any Error) {
    book.withLock { if $0.failure == nil { $0.failure = error } }
    stop()
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

// MARK: - Recording

extension Store {
  /// Records from now on: every action that is reduced, with its cause, and what happens to runs.
  ///
  /// ```swift
  /// let recorder = try await store.record(with: codec)
  /// ...
  /// let recording = recorder.recording
  /// ```
  ///
  /// - Parameters:
  ///   - codec: encodes states and actions.
  ///   - checkpoints: after how many actions the state is written again. With 1 it is written after each action, and a replay
  ///     finds exactly the action at which a changed reducer differs. With 0 it is never written, which costs least.
  ///   - changes: whether to record a note for each action with what it changed in the state. The note begins with
  ///     `changed:`, and a reader of it needs no reducer. It costs a comparison of the states; see ``StateDifference``.
  ///   - path: a file to record to, which is emptied if it exists. Its folder must exist. Little is kept in memory then; read the
  ///     file with ``Recording/init(contentsOfFile:)``. Each line is handed to the system before the next action is reduced.
  ///     Without a path, the recording is kept in memory.
  /// - Returns: the recorder, from which you read the recording. If you discard it, a recording to a file continues until the
  ///   store ends.
  /// - Throws: what encoding the first state throws; ``RecordingError/unwritable(path:reason:)`` if the first lines cannot be
  ///   written, or if another recording is written to the file. A later error ends the recording; see ``StoreRecorder/failure``.
  /// - Ordering: begins with the state at the time of the call; what was accepted before and not reduced is recorded.
  /// - Isolation: the store's; encoding, opening the file and writing happen there, and the store waits for them. To open a pipe
  ///   waits for its reader. Inside `reduce` it traps.
  /// - Complexity: O(1) for each action, plus the encoding and a write to the file; or else the memory of everything that is
  ///   recorded.
  @discardableResult
  public func record(
    with codec: RecordingCodec<R.State, R.Action>, checkpoints: Int = 1, changes: Bool = false, to path: String? = nil
  ) throws -> StoreRecorder {
    let state = try encodedState(codec)
    let recorder = try StoreRecorder(initialState: state, file: path.map { path in try RecordingFile(path: path) })
    begin(recorder, codec, checkpoints, changes)
    return recorder
  }

  /// Encodes the present state. Actions that are sent meanwhile are only enqueued, so that no action is reduced between
  /// this and the first event.
  func encodedState(_ codec: RecordingCodec<R.State, R.Action>) throws -> [UInt8] {
    let state = present
    return try holdingBack { try codec.encodeState(state) }
  }

  func begin(
    _ recorder: StoreRecorder, _ codec: RecordingCodec<R.State, R.Action>, _ checkpoints: Int, _ changes: Bool
  ) {
    let follower = changes ? ListenerState(present) : nil
    let listening = trace.listen { [weak self] event in
      switch event.kind {
      case .reduced(let action, let source):
        do {
          let bytes = try codec.encodeAction(action)
          var state: [UInt8]?
          if recorder.wantsState(checkpoints), let self {
            state = try self.assumeIsolated { try codec.encodeState($0.core.value.engine.state) }
          }
          recorder.add(bytes, from: source, at: event.time, state: state)
          if let follower, let self {
            let change = self.assumeIsolated { follower.difference(to: $0.core.value.engine.state) }
            if !change.isEmpty { recorder.add("changed: \(change.onOneLine)", at: event.time) }
          }
        } catch {
          recorder.fail(error)
        }
      case .run: recorder.add("\(event.kind)", at: event.time)
      default: break
      }
    }
    recorder.began(listening)
    // At once, so that no action is reduced between the first state and the first event.
    admitListeners()
  }
}
