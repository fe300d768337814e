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
  /// - Errors: a state that differs is a failure, the first one only; then the recorded states are of no use any more. A
  ///   damaged recording is a failure too, behind what can be read. What the codec throws is thrown.
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
      _ = reducer.reduce(into: &state, action: action)
      guard let bytes = step.state else { continue }
      let expected = try codec.decodeState(bytes)
      guard expected != state else { continue }
      let difference = Difference.text(expected: expected, actual: state)
      let text = FailureText.replayDiffers(difference, index: index, action: action, cause: "\(step.cause)")
      return report(text, at: location)
    }
    if let damage = recording.damage { report(FailureText.damaged("\(damage)"), at: location) }
  }
}

extension Recording {
  /// Swift source of a test that holds this recording and replays it; see ``EffectTesting/TestStore/replay(_:with:fileID:filePath:line:column:)``.
  ///
  /// ```swift
  /// print(recording.testSource(name: "queryRace", importing: ["Search"], reducer: "Search(find: { _ in [] })", codec: "Search.codec"))
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the test, an identifier.
  ///   - modules: what the test imports beside `EffectTesting` and `Testing`; `@testable`.
  ///   - reducer: an expression that makes the reducer; its effects are not run.
  ///   - codec: an expression for the codec.
  /// - Complexity: O(size).
  public func testSource(
    name: String, importing modules: [String] = [], reducer: String, codec: String
  ) -> String {
    let imports = modules.map { "@testable import \($0)\n" }.joined()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { "    \($0)\n" }.joined()
    return """
      import EffectTesting
      import Testing

      \(imports.isEmpty ? "" : "\(imports)\n")/// A recorded session: \(steps.count) actions.
      @Test func \(name)() async throws {
        let recording = try Recording(
          parsing: #\"""
      \(lines)    \"""#.utf8)
        let codec = \(codec)
        let store = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: \(reducer))
        try store.replay(recording, with: codec)
        await store.finish()
      }

      """
  }
}
