// This source file is part of swift-effects. License: Apache-2.0.

/// The code of a step that a failure proposes, and what its closure does not contain.
struct StepCode {
  let text: String
  /// What has changed and is not in the closure, each with the reason.
  private(set) var unwritten: [String] = []
  /// Whether the closure has comments for values that are too long.
  private(set) var isShortened = false

  init(_ text: String) {
    self.text = text
  }

  /// A step whose closure makes this change; `nil` if nothing of the change can be written.
  init?(_ step: String, _ change: ChangeCode) {
    if change.isUnchanged {
      text = step
    } else if change.isEmpty {
      return nil
    } else {
      text = "\(step) \(change.closure)"
      unwritten = change.unwritten
      isShortened = !change.unshown.isEmpty
    }
  }

  /// What to say below some steps.
  static func notes(_ steps: [StepCode]) -> String {
    FailureText.notes(
      callsInitializer: steps.contains { SwiftLiteral.callsInitializer($0.text) },
      unwritten: steps.flatMap(\.unwritten), isShortened: steps.contains(where: \.isShortened))
  }
}
