// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// Texts for steps that prove nothing. Without a failure, such a step would look like a proof.
extension FailureText {
  static let noStep = """
    No step was taken, so this test proves nothing.

    Call `store.send` before `finish()`, with a closure that sets what the action changes.
    """

  static let noStepBeforeRelease = """
    No step was taken with this test store before it was released, so it proves nothing.

    Call `store.send`, with a closure that sets what the action changes, and `await store.finish()`. If a test does not \
    need the store, make it in the tests that do; if the test threw an error before its first step, fix that first.
    """

  /// A request whose answer nothing reads.
  static func answerNotRead(_ step: String) -> String {
    """
    The answer of \(step) was never read, so nothing is proved about it.

    Write `try await request.answer { $0 }` for what it returns, and compare the result. If the test needs no answer, use \
    `store.send`.
    """
  }

  /// `receive(unordered: [])`.
  static func receivesNothing(held: (any Sendable)?) -> String {
    let advice =
      if let held {
        "This action waits to be received: \(brief(held)). Write "
          + (code(held).map { "`await store.receive(unordered: [\($0)])`." } ?? "it into the list.")
      } else {
        "No action waits to be received: leave the step out."
      }
    return """
      `receive(unordered:)` names no action, so nothing was received.

      \(advice)
      """
  }

  /// `settle()` where no run has ever been started.
  static let nothingToSettle = """
    There is nothing to settle: no run has been started.

    Send the action whose effect works outside of the test's control before this step, or leave the step out.
    """

  /// `settle(until:)` with an id that no run has had.
  static func neverStarted(_ id: EffectID, started: [EffectID]) -> String {
    var advice = """
      No run with an id has been started. Send the action that starts it before this step, or write `await store.settle()`.
      """
    if let nearest = EditDistance.nearest(to: id, in: started) {
      advice = """
        Runs were started under \(started.prefix(5).map(\.description).joined(separator: ", ")). Write the id that the reducer \
        gives, with the scopes around it\(code(nearest).map { ": `await store.settle(until: \($0))`" } ?? "").
        """
    }
    return "There is nothing to settle: no run of \(id) has been started.\n\n\(advice)"
  }

  /// An id as it is written into the test, if it is made of strings, values of `Int` and cases of enums.
  static func code(_ id: EffectID) -> String? {
    guard var names = codes(ofNamesIn: id), let name = names.popLast() else { return nil }
    if names.isEmpty { return name }
    var text = "EffectID(\(name))"
    for scope in names.reversed() { text += ".scoped(by: EffectID(\(scope)))" }
    return text
  }

  /// Likewise as it is written beside `other`: in the same scope without the scope.
  static func code(_ id: EffectID, beside other: EffectID) -> String? {
    guard let names = codes(ofNamesIn: id), let others = codes(ofNamesIn: other) else { return nil }
    return names.dropLast() == others.dropLast() ? names.last : code(id)
  }

  /// The names of an id and of its scopes, from the outermost one on.
  private static func codes(ofNamesIn id: EffectID) -> [String]? {
    var names: [String] = []
    var next: EffectID.Component? = id.head
    while let component = next {
      guard let name = code(ofName: component.erased) else { return nil }
      names.append(name)
      next = component.inner
    }
    return names
  }

  /// The value of a name. As an argument of any type, a number would be an `Int`, and a case needs its type.
  private static func code(ofName value: Any) -> String? {
    guard let code = SwiftLiteral.of(value, limit: value is String ? .max : 60).code else { return nil }
    if value is String || value is Int { return code }
    return Mirror(reflecting: value).displayStyle == .enum ? SwiftNames.ofType(type(of: value)) + code : nil
  }

  /// Likewise where an `EffectID` is needed, which a number or a case alone is not.
  static func argument(_ id: EffectID) -> String? {
    code(id).map { $0.hasPrefix("\"") || $0.hasPrefix("EffectID(") ? $0 : "EffectID(\($0))" }
  }

  /// A step of a sent action whose store no longer exists.
  static func storeIsGone(_ step: String) -> String {
    """
    \(step) did nothing: the test store that the action was sent to no longer exists.

    Keep it in a variable of the test, and write `await store.finish()` as the last line.
    """
  }
}
