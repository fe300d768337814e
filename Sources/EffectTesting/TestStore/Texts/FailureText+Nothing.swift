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
}
