// This source file is part of swift-effects. License: Apache-2.0.

extension Recording {
  /// Makes Swift source of a test that contains this recording and replays it by `TestStore.replay` of EffectTesting.
  ///
  /// This function does not need that module: an app can offer the source together with a report of a failure.
  ///
  /// ```swift
  /// print(recording.testSource(name: "A query race", importing: ["Search"], reducer: "Search(find: noNetwork)", codec: "Search.codec"))
  /// ```
  ///
  /// If the expressions are short, the source is formatted as by `swift format`, with two spaces.
  ///
  /// - Parameters:
  ///   - name: the name of the test, an identifier or a sentence. Characters that Swift allows in neither become spaces.
  ///   - modules: what the test imports besides `EffectTesting` and `Testing`; `@testable`.
  ///   - reducer: an expression that makes the reducer; its effects are not run.
  ///   - codec: an expression for the codec.
  /// - Returns: a complete source file.
  /// - Complexity: O(size).
  public func testSource(
    name: String, importing modules: [String] = [], reducer: String, codec: String
  ) -> String {
    let imports = modules.map { "@testable import \($0)\n" }.joined()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { "    \($0)\n" }.joined()
    let actions = steps.count == 1 ? "1 action" : "\(steps.count) actions"
    return """
      import EffectTesting
      import Testing

      \(imports.isEmpty ? "" : "\(imports)\n")/// A recorded session: \(actions).
      @Test func \(Self.identifier(name))() async throws {
        let lines = #\"""
      \(lines)    \"""#
        let recording = try Recording(parsing: lines.utf8)
        let codec = \(codec)
        let reducer = \(reducer)
        let store = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: reducer)
        try store.replay(recording, with: codec)
        await store.finish()
      }

      """
  }

  /// The name in the form that can follow `func`.
  private static func identifier(_ name: String) -> String {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
    if isPlain, !name.isEmpty { return name }
    // Characters that must not be between backticks.
    let text = name.map { $0 == "`" || $0 == "\\" || $0.isNewline || $0 == "\0" ? " " : $0 }
    let words = text.split(separator: " ").map { String($0) }.joined(separator: " ")
    return "`\(words.contains { $0.isLetter || $0.isNumber } ? words : "A recorded session")`"
  }
}
