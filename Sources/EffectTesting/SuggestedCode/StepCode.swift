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
    notes(
      callsInitializer: steps.contains { SwiftLiteral.callsInitializer($0.text) },
      unwritten: steps.flatMap(\.unwritten), isShortened: steps.contains(where: \.isShortened))
  }

  /// Reflection does not show initializers, so proposed code may call one that does not exist.
  static let initializerNote = """
    `.init` is called with every stored property. If the type does not have this initializer, call another one.
    """

  /// What is to be said beside proposed code.
  static func notes(callsInitializer: Bool, unwritten: [String], isShortened: Bool) -> String {
    var notes = callsInitializer ? [initializerNote] : []
    if !unwritten.isEmpty { notes.append(notWritten(unwritten)) }
    if isShortened { notes.append("Fill in what is a comment: it is too long to be shown here.") }
    return notes.joined(separator: " ")
  }

  private static func notWritten(_ places: [String]) -> String {
    let more = places.count > 5 ? " and \(places.count - 5) more" : ""
    let list = places.prefix(5).joined(separator: ", ")
    return "Not written here as code, because reflection does not show how: \(list)\(more)."
  }
}
