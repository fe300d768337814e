// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

extension TestStore {
  /// Reduces every action of a recording, in the recorded order, and proves the state after each that has a checkpoint.
  ///
  /// ```swift
  /// let store = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: Search(find: noNetwork))
  /// try store.replay(recording, with: codec)
  /// await store.finish()
  /// ```
  ///
  /// Effects are discarded: the actions that runs sent are in the recording.
  ///
  /// - Parameters:
  ///   - recording: the actions, with the states that the reductions are compared with.
  ///   - codec: decodes the actions and states of the recording.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Throws: a ``/EffectRuntime/RecordingDecodingError`` where the codec throws, which names the action or state.
  /// - Errors: a state that differs is a failure, and ends the replay, because the later recorded states are of no use. Also
  ///   failures: a recording without an action, and one without a state to compare with. If the recording begins with
  ///   another state than the store has, this is a failure, and no action is reduced. A damaged recording is a failure,
  ///   too, reported after the part that can be read.
  /// - Complexity: O(number of actions).
  public func replay(
    _ recording: Recording, with codec: RecordingCodec<R.State, R.Action>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("replay(_:with:)", at: location) else { return }
    requireNothingHeld("replay(_:with:)", at: location)
    let counter = engine.stackCounter
    let beginning = try counter.count { try recording.decodeInitialState(with: codec) }
    if !comparison.areEqual(beginning, state) {
      reportState(FailureText.replayBeginsElsewhere(comparison.difference(beginning, state)), at: location)
      return
    }
    if recording.steps.isEmpty, recording.damage == nil { report(FailureText.nothingToReplay, at: location) }
    for (index, step) in recording.steps.enumerated() {
      let action = try recording.decodeAction(index, with: codec)
      let reducer = reducer
      phase.value = .reducing
      _ = counter.count { reducer.reduce(into: &engine.state, action: action) }
      phase.value = .resting
      guard let expected = try recording.decodeState(after: index, with: codec),
        !comparison.areEqual(expected, state)
      else { continue }
      let difference = comparison.difference(expected, state)
      let text = FailureText.replayDiffers(difference, index: index, action: action, cause: "\(step.cause)")
      reportState(text, at: location)
      return
    }
    if !recording.steps.isEmpty, recording.steps.allSatisfy({ $0.state == nil }) {
      report(FailureText.noCheckpoints(recording.steps.count), at: location)
    }
    if let damage = recording.damage { report(FailureText.damaged("\(damage)"), at: location) }
  }
}
