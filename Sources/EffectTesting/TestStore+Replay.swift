// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

extension TestStore {
  /// Reduces every action of a recording, in the order recorded, and proves the state after each that has a checkpoint.
  ///
  /// ```swift
  /// let store = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: Search(find: noNetwork))
  /// try store.replay(recording, with: codec)
  /// await store.finish()
  /// ```
  ///
  /// Effects are thrown away: what runs once sent is in the recording.
  ///
  /// - Errors: a state that differs is a failure, the first one only; then the recorded states are of no use any more. So
  ///   is a recording that has no state to compare with. A damaged recording is a failure too, behind what can be read. What
  ///   the codec throws is thrown.
  /// - Complexity: O(number of actions).
  public func replay(
    _ recording: Recording, with codec: RecordingCodec<R.State, R.Action>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard begin("replay(_:with:)", at: location) else { return }
    requireNothingHeld("replay(_:with:)", at: location)
    for (index, step) in recording.steps.enumerated() {
      let action = try codec.decodeAction(step.action)
      isReducing = true
      _ = reducer.reduce(into: &present, action: action)
      isReducing = false
      guard let bytes = step.state else { continue }
      let expected = try codec.decodeState(bytes)
      guard expected != state else { continue }
      let difference = Difference.text(expected: expected, actual: state)
      let text = FailureText.replayDiffers(difference, index: index, action: action, cause: "\(step.cause)")
      return report(text, at: location)
    }
    if !recording.steps.isEmpty, recording.steps.allSatisfy({ $0.state == nil }) {
      report(FailureText.noCheckpoints(recording.steps.count), at: location)
    }
    if let damage = recording.damage { report(FailureText.damaged("\(damage)"), at: location) }
  }
}
