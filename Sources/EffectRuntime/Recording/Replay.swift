// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Goes through a recording with a reducer: every state, forwards and back, and the first one that is no longer the same.
///
/// ```swift
/// var replay = try Replay(recording, reducer: Search(find: noNetwork), codec: codec)
/// try replay.jump(to: 12)
/// print(replay.state)
/// if let divergence = try replay.firstDivergence() { print(divergence) }
/// ```
///
/// Only the reducer is asked; its effects are thrown away, so no dependency is called.
public struct Replay<R: Reducer> {
  private let recording: Recording
  private let reducer: R
  private let codec: RecordingCodec<R.State, R.Action>
  /// States on the way, so that going back does not begin at the beginning each time.
  private var landmarks: [R.State]
  private static var distance: Int { 256 }

  /// The state at ``position``.
  public private(set) var state: R.State
  /// How many actions have been reduced.
  public private(set) var position = 0

  /// How many actions there are.
  public var count: Int { recording.steps.count }

  /// Stands at the beginning.
  ///
  /// - Throws: a ``RecordingDecodingError`` if the codec cannot read the first state.
  public init(_ recording: Recording, reducer: R, codec: RecordingCodec<R.State, R.Action>) throws {
    self.recording = recording
    self.reducer = reducer
    self.codec = codec
    state = try recording.decodeInitialState(with: codec)
    landmarks = [state]
  }

  /// Reduces the next action and hands it out; `nil` at the end.
  ///
  /// - Throws: a ``RecordingDecodingError`` that names the action; the position stays.
  /// - Complexity: O(1), plus the reduction.
  @discardableResult
  public mutating func step() throws -> R.Action? {
    guard position < count else { return nil }
    let action = try recording.decodeAction(position, with: codec)
    _ = reducer.reduce(into: &state, action: action)
    position += 1
    if position == landmarks.count * Self.distance { landmarks.append(state) }
    return action
  }

  /// Goes to where so many actions have been reduced; beyond the end, to the end.
  ///
  /// - Throws: a ``RecordingDecodingError``; the position is then that before the action that cannot be read.
  /// - Complexity: O(distance) forwards; back at most 256 reductions.
  public mutating func jump(to target: Int) throws {
    let target = min(max(0, target), count)
    let landmark = min(target / Self.distance, landmarks.count - 1)
    if target < position || landmark * Self.distance > position {
      state = landmarks[landmark]
      position = landmark * Self.distance
    }
    while position < target { try step() }
  }
}

extension Replay where R.State: Equatable {
  /// A state that is not the one recorded.
  public struct Divergence {
    /// How many actions came before the one that made the difference.
    public let index: Int
    /// The action that made the difference, or after which it was seen.
    public let action: R.Action
    /// Who sent it.
    public let cause: Recording.Cause
    /// The state that was recorded.
    public let recorded: R.State
    /// The state that the reducer makes now.
    public let replayed: R.State
  }

  /// Goes, from the beginning, to the first action after which the state is not the one recorded, and stands behind it; `nil`, and at
  /// the end, if there is none.
  ///
  /// Compares where checkpoints were recorded, so with one after each action it finds the very action.
  ///
  /// - Throws: a ``RecordingDecodingError`` that names the action or state; ``RecordingError/nothingToCompare(actions:)`` for a
  ///   recording that has no state after any action, because `nil` would look like a proof then.
  /// - Complexity: O(number of actions).
  public mutating func firstDivergence() throws -> Divergence? {
    guard recording.steps.contains(where: { $0.state != nil }) else {
      throw RecordingError.nothingToCompare(actions: count)
    }
    try jump(to: 0)
    while let action = try step() {
      let index = position - 1
      guard let recorded = try recording.decodeState(after: index, with: codec), recorded != state else { continue }
      return Divergence(
        index: index, action: action, cause: recording.steps[index].cause, recorded: recorded, replayed: state)
    }
    return nil
  }
}

extension Replay.Divergence: CustomStringConvertible {
  /// The action and both states.
  public var description: String {
    """
    Action \(index), \(TraceText.of(action)) \(cause), leads to another state than when it was recorded.
      recorded: \(ValueText.of(recorded))
      replayed: \(ValueText.of(replayed))
    """
  }
}
