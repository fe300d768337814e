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
  private var lines: [UInt8] = []
  /// How many actions are in these lines.
  private var turnCount = 0

  init(_ checkpoints: Checkpoints) {
    self.checkpoints = checkpoints
  }

  /// Whether the state after the next action is written behind it.
  var wantsState: Bool {
    guard case .behindActions(let number) = checkpoints, number > 0 else { return false }
    return (count + turnCount + 1).isMultiple(of: number)
  }

  /// Adds an action that was reduced.
  mutating func reduced(_ step: Recording.Step) {
    lines += RecordingFormat.line(step, index: count + turnCount)
    if let state = step.state { lines += RecordingFormat.line(after: state) }
    turnCount += 1
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
    guard !lines.isEmpty else { return nil }
    var bytes: [UInt8] = []
    swap(&bytes, &lines)
    // Notes of runs are also made between two turns.
    guard turnCount > 0 else { return (bytes, false) }
    count += turnCount
    turnCount = 0
    let isCheckpointDue = if case .replacing(let number) = checkpoints { count >= number } else { false }
    return (bytes + RecordingFormat.line(turnEndAfter: count), isCheckpointDue)
  }

  /// Counts from zero again, because a state has replaced the file.
  mutating func replaced() { count = 0 }
}
