// This source file is part of swift-effects. License: Apache-2.0.

/// Why a recording or a journal cannot be read, written or compared.
public enum RecordingError: Error, Hashable, CustomStringConvertible {
  /// The bytes do not begin with the first line of a recording.
  case notARecording
  /// The bytes were written in another version of the format.
  case unsupportedVersion(String)
  /// There is no complete first state.
  case noInitialState(String)
  /// No state was recorded after any of its actions, so a reducer cannot be compared with it.
  case nothingToCompare(actions: Int)
  /// A file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// A file cannot be opened or written.
  case unwritable(path: String, reason: String)
  /// Another store or recorder, in this process or in another, uses the file. The path has no symbolic links.
  case inUse(path: String)
  /// The codec has no decoder for the version that wrote the journal.
  case unknownVersion(Int, known: [Int])

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notARecording: "These bytes are no recording: the first line must be `\(RecordingFormat.header)`."
    case .unsupportedVersion(let version):
      "The recording has version \(version) of the format, and this library reads version \(RecordingFormat.version). "
        + "Read it with the version that wrote it, or record again."
    case .noInitialState(let reason): "The recording does not begin with a state: \(reason)."
    case .nothingToCompare(0): "The recording has no action, so there is nothing to compare."
    case .nothingToCompare(let actions):
      "The recording has no state after \(actions == 1 ? "its action" : "any of its \(actions) actions"), so there is nothing "
        + "to compare. Record with `checkpoints: 1`."
    case .unreadable(let path, let reason): "The recording \(path) cannot be read: \(reason)."
    case .unwritable(let path, let reason): "The recording \(path) cannot be written: \(reason)."
    case .inUse(let path):
      "The file \(path) is used by another store. A store uses it until a shutdown of the store has ended; after a mere "
        + "release this may take a moment. Write `await store.shutdown(.draining)`, or `recorder.stop()`, before the next "
        + "store uses this file, and give stores that exist at the same time a file each."
    case .unknownVersion(let version, let known):
      "The journal was written by version \(version) of the codec, and this one reads \(Self.list(known)). Add "
        + "`.reading(version: \(version), state: readState, action: readAction)` to the codec, with two functions of yours that "
        + "read what that version wrote."
    }
  }

  private static func list(_ versions: [Int]) -> String {
    "\(versions.count == 1 ? "version" : "versions") \(versions.map(String.init).joined(separator: ", "))"
  }
}

/// A codec cannot read a part of a recording or journal.
///
/// Thrown by `Replay` and by the `replay` of a `TestStore`, both of EffectTesting, and when a store is restored.
public struct RecordingDecodingError: Error, Sendable {
  /// What cannot be read.
  package let part: Part
  /// Where the action comes from; `nil` for the state at the beginning.
  package let cause: Recording.Cause?
  /// The source line that sent the action: the line of the `send`, or of the run that sent it; `nil` if it was not
  /// recorded. For a follow-up, the line of the action that began its turn.
  package let line: String?
  /// What the codec has thrown.
  public let error: any Error

  /// A part of a recording.
  package enum Part: Hashable, Sendable {
    /// The state at the beginning.
    case initialState
    /// An action, by the number of actions before it.
    case action(Int)
    /// The state that was recorded after an action, by the number of actions before that action.
    case state(after: Int)
  }
}

extension RecordingDecodingError: CustomStringConvertible {
  /// The part, where it comes from, and what the codec has thrown.
  public var description: String {
    let what =
      switch part {
      case .initialState: "The state at the beginning of the recording"
      case .action(let index): "Action \(index) of the recording, \(origin),"
      case .state(after: let index): "The state after action \(index) of the recording, \(origin),"
      }
    return """
      \(what) cannot be decoded: \(ValueDescription.brief(error)). Use the codec of the version that recorded it, or record again.
      """
  }

  private var origin: String {
    guard let cause else { return "" }
    if case .user = cause { return "\(cause)" }
    return line.map { "\(cause), built at \($0)" } ?? "\(cause)"
  }
}
