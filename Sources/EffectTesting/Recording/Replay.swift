// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// Goes through a recording with a reducer: shows every state, forwards and back, and finds the first one that differs.
///
/// ```swift
/// var replay = try Replay(recording, reducer: Search(find: noNetwork), codec: codec)
/// try replay.jump(to: 12)
/// print(replay.state)
/// if let divergence = try replay.firstDivergence() { print(divergence) }
/// ```
///
/// Only the reducer is called; its effects are discarded, so no dependency is called.
public struct Replay<R: Reducer> {
  let recording: Recording
  private let reducer: R
  private let codec: RecordingCodec<R.State, R.Action>
  /// The states after every 256 actions so far, so that going back repeats fewer actions than that.
  private var landmarks: [(state: R.State, numbers: StackNumbers)]
  private static var distance: Int { 256 }

  /// The state at ``position``.
  public private(set) var state: R.State
  /// Which ids of stacks were used at ``position``.
  private var numbers: StackNumbers
  /// How many actions have been reduced.
  public private(set) var position = 0

  /// How many actions there are.
  public var count: Int { recording.steps.count }

  /// Begins at the first state.
  ///
  /// - Parameters:
  ///   - recording: what to replay; it may be damaged at its end.
  ///   - reducer: the reducer to run, which may differ from the one that was recorded. Its effects are not run.
  ///   - codec: reads the states and actions; it must understand what the recording's codec wrote.
  /// - Throws: a ``/EffectRuntime/RecordingDecodingError`` if the codec cannot read the first state.
  public init(_ recording: Recording, reducer: R, codec: RecordingCodec<R.State, R.Action>) throws {
    self.recording = recording
    self.reducer = reducer
    self.codec = codec
    let counter = StackCounter()
    state = try counter.count { try recording.decodeInitialState(with: codec) }
    numbers = counter.numbers
    landmarks = [(state, numbers)]
  }

  /// Reduces the next action and returns it.
  ///
  /// - Returns: the action; `nil`, with nothing done, at the end.
  /// - Throws: a ``/EffectRuntime/RecordingDecodingError`` that names the action; the position does not change.
  /// - Complexity: O(1), plus the reduction.
  @discardableResult
  public mutating func step() throws -> R.Action? {
    guard position < count else { return nil }
    let action = try recording.decodeAction(position, with: codec)
    let counter = StackCounter(numbers)
    _ = counter.count { reducer.reduce(into: &state, action: action) }
    numbers = counter.numbers
    position += 1
    if position == landmarks.count * Self.distance { landmarks.append((state, numbers)) }
    return action
  }

  /// Goes to the position after a number of actions, forwards or back.
  ///
  /// - Parameter target: the number of actions. A negative number means the beginning, one beyond the end the end.
  /// - Throws: a ``/EffectRuntime/RecordingDecodingError``; the position is then before the action that cannot be read.
  /// - Complexity: O(distance) forwards; fewer than 256 reductions back.
  public mutating func jump(to target: Int) throws {
    let target = min(max(0, target), count)
    let landmark = min(target / Self.distance, landmarks.count - 1)
    if target < position || landmark * Self.distance > position {
      (state, numbers) = landmarks[landmark]
      position = landmark * Self.distance
    }
    while position < target { try step() }
  }
}

extension Replay where R.State: Equatable {
  /// A state that differs from the recorded one; its description has the action and both states.
  public struct Divergence {
    /// How many actions came before ``action``.
    package let index: Int
    /// The action after which the states differ. If no state was recorded before it, an earlier action may be the
    /// cause.
    package let action: R.Action
    /// What sent it.
    package let cause: Recording.Cause
    /// The state that was recorded.
    package let recorded: R.State
    /// The state that the reducer makes now.
    package let replayed: R.State
  }

  /// Finds, from the beginning, the first action after which the state differs from the recorded one.
  ///
  /// It compares where checkpoints were recorded, so with a checkpoint after each action it finds exactly the action. The
  /// position is then after this action, or at the end if there is no difference.
  ///
  /// - Returns: the difference; `nil` if there is none.
  /// - Throws: a ``/EffectRuntime/RecordingDecodingError`` that names the action or state.
  ///   ``/EffectRuntime/RecordingError/nothingToCompare(actions:)`` if the recording has no state after any action: then `nil`
  ///   would prove nothing.
  /// - Complexity: O(number of actions).
  public mutating func firstDivergence() throws -> Divergence? {
    guard recording.steps.contains(where: { $0.state != nil }) else {
      throw RecordingError.nothingToCompare(actions: count)
    }
    try jump(to: 0)
    while let action = try step() {
      let index = position - 1
      guard let recorded = try recording.decodeState(after: index, with: codec), !Sameness.areSame(recorded, state)
      else { continue }
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
