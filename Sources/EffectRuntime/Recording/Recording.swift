// This source file is part of swift-effects. License: Apache-2.0.

/// A session of a store that can be replayed: the first state, and every action with its cause, in the order reduced.
/// Made by ``Store/record(with:checkpoints:changes:to:)``, or read from a file by
/// ``init(contentsOfFile:)``.
///
/// States and actions are kept as the bytes of a ``RecordingCodec``; ids and inputs of runs as text.
public struct Recording: Equatable, Sendable {
  /// The state at the beginning, encoded.
  public var initialState: [UInt8]
  /// The actions, in the order they were reduced.
  public var steps: [Step]
  /// What happened to runs, and recorded changes of the state, as one line each, ordered by ``Note/after``.
  public var notes: [Note]
  /// Where the bytes it was read from are damaged; everything before that is complete.
  public internal(set) var damage: Damage?
  /// The version of the codec that wrote it.
  package internal(set) var codecVersion = 1
  /// How many of the last steps belong to a turn whose end was not read.
  var unfinishedCount = 0

  /// Makes a recording by hand.
  ///
  /// - Parameters:
  ///   - initialState: the state at the beginning, encoded.
  ///   - codecVersion: the ``RecordingCodec/version`` of the codec that has encoded it. A store that is restored from the
  ///     recording takes the decoder of this version.
  ///   - steps: the actions, in the order in which a replay reduces them.
  ///   - notes: what happened to runs, ordered by ``Note/after``.
  public init(initialState: [UInt8], codecVersion: Int = 1, steps: [Step] = [], notes: [Note] = []) {
    self.initialState = initialState
    self.codecVersion = codecVersion
    self.steps = steps
    self.notes = notes
  }

  /// One action.
  public struct Step: Equatable, Sendable {
    /// When it was reduced, by the store's clock, since the store was made.
    public var time: Duration
    /// What sent it.
    public var cause: Cause
    /// The action, encoded.
    public var action: [UInt8]
    /// The state after it, encoded; `nil` if no checkpoint was recorded here.
    public var state: [UInt8]?

    /// Makes a step by hand.
    ///
    /// - Parameters:
    ///   - time: when it was reduced, since the store was made.
    ///   - cause: what sent it.
    ///   - action: the action, encoded.
    ///   - state: the state after it, encoded; `nil` for no checkpoint.
    public init(time: Duration, cause: Cause, action: [UInt8], state: [UInt8]? = nil) {
      self.time = time
      self.cause = cause
      self.action = action
      self.state = state
    }
  }

  /// What sent an action.
  public enum Cause: Hashable, Sendable, CustomStringConvertible {
    /// `send` of the store, from that line; empty if the line was not recorded.
    case user(String)
    /// The run of that number; 0 if the run had ended earlier.
    case run(UInt64)
    /// A `send` effect of an action before it in the same turn.
    case followUp

    /// `sent at App/View.swift:3`, `from run 2`, `as a follow-up`.
    public var description: String {
      switch self {
      case .user(""): "sent"
      case .user(let line): "sent at \(line)"
      case .run(0): "from a run that ended earlier"
      case .run(let number): "from run \(number)"
      case .followUp: "as a follow-up"
      }
    }
  }

  /// What happened to a run, or what an action changed in the state.
  public struct Note: Equatable, Sendable {
    /// How many steps came before.
    public var after: Int
    /// When it happened, by the store's clock, since the store was made.
    public var time: Duration
    /// `run 1 registered: run("search", input: "swift") at App/Search.swift:7`; with changes also `changed: query: - "" + "swift"`.
    public var text: String

    /// Makes a note by hand.
    ///
    /// - Parameters:
    ///   - after: how many steps came before.
    ///   - time: when it happened, since the store was made.
    ///   - text: what happened, in one line.
    public init(after: Int, time: Duration, text: String) {
      self.after = after
      self.time = time
      self.text = text
    }
  }

  /// Where a recording that was read is damaged.
  public struct Damage: Hashable, Sendable, CustomStringConvertible {
    /// The first line that cannot be read, counted from 1.
    package let line: Int
    /// What is wrong with it.
    package let reason: String

    /// The reason of a last line whose end is missing.
    static let cutOff = "is cut off"

    /// `line 12 is cut off; the lines before it can be read`.
    public var description: String { "line \(line) \(reason)\(line > 1 ? "; the lines before it can be read" : "")" }
  }
}
