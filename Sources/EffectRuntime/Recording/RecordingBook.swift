// This source file is part of swift-effects. License: Apache-2.0.

/// Collects what happens in a turn, and makes the lines that a recorder writes next.
struct RecordingBook {
  /// When states are written.
  enum Checkpoints {
    /// Behind each action of this number; 0 for never.
    case behindActions(every: Int)
    /// In place of everything, when this many actions are in the file.
    case replacing(every: Int)
  }

  private let checkpoints: Checkpoints
  /// How many actions of whole turns were written since the last state that replaced all.
  private var count = 0
  /// This number when a state was due and could not be encoded; 0 if there was none.
  private var postponedAt = 0
  /// An action could not be written since the last state, so nothing can be added behind it but a state.
  private(set) var isBehind = false
  private var lines: [UInt8] = []
  /// How many actions were reduced in this turn.
  private var turnCount = 0

  init(_ checkpoints: Checkpoints) {
    self.checkpoints = checkpoints
  }

  /// Whether a state replaces everything from time to time, as in a journal.
  var isReplaced: Bool { if case .replacing = checkpoints { true } else { false } }

  /// Whether the state after the next action is written behind it.
  var wantsState: Bool {
    guard case .behindActions(let number) = checkpoints, number > 0 else { return false }
    return (count + turnCount + 1).isMultiple(of: number)
  }

  /// Adds an action that was reduced.
  mutating func reduced(_ step: Recording.Step) {
    defer { turnCount += 1 }
    if isBehind { return }
    lines += RecordingFormat.line(step, index: count + turnCount)
    if let state = step.state { lines += RecordingFormat.line(after: state) }
  }

  /// Adds an action that was reduced and cannot be written: only a state can replace its turn.
  mutating func missed() {
    turnCount += 1
    fallBehind()
  }

  /// What was added since the last state cannot be continued, so only a state comes next.
  mutating func fallBehind() {
    isBehind = true
    lines = []
  }

  /// Adds what happened to a run, or what the last action has changed.
  mutating func noted(_ text: String, at time: Duration) {
    lines += RecordingFormat.line(Recording.Note(after: count + turnCount, time: time, text: text))
  }

  /// Ends the turn: call it when no turn is open.
  ///
  /// - Returns: what is to be appended, and whether the state replaces all after that; `nil` if nothing was added since the
  ///   last call.
  mutating func endTurn() -> (bytes: [UInt8], isCheckpointDue: Bool)? {
    if isBehind {
      defer { turnCount = 0 }
      return turnCount > 0 ? ([], true) : nil
    }
    guard !lines.isEmpty else { return nil }
    var bytes: [UInt8] = []
    swap(&bytes, &lines)
    // Notes of runs are also made between two turns.
    guard turnCount > 0 else { return (bytes, false) }
    count += turnCount
    turnCount = 0
    let isCheckpointDue = if case .replacing(let number) = checkpoints { count - postponedAt >= number } else { false }
    return (bytes + RecordingFormat.line(turnEndAfter: count), isCheckpointDue)
  }

  /// Counts from zero again, because a state has replaced the file.
  mutating func replaced() { (count, postponedAt, isBehind) = (0, 0, false) }

  /// The state that was due cannot be encoded: the next one is due after as many actions again.
  mutating func postponed() { postponedAt = count }
}
