// This source file is part of swift-effects. License: Apache-2.0.

extension FailureText {
  /// An action with an expected change, after a shutdown.
  static func refused(_ step: String) -> String {
    """
    \(step) was refused, because `shutdown(_:)` came before. Nothing was reduced, so the state cannot change.

    Leave the closure out, and check `isRefused` of what the step returns; or move the step before the shutdown.
    """
  }

  /// A shutdown that does not end.
  static func shutdownInFlight(_ inFlight: InFlight) -> String {
    let isOne = inFlight.runs.count == 1
    let them = isOne ? "it" : "them"
    let advice =
      inFlight.runs.allSatisfy(\.isCancelled)
      ? """
      \(isOne ? "It was" : "They were") cancelled, but the \(isOne ? "closure has" : "closures have") not returned. Call \
      `try Task.checkCancellation()` in loops, and let the error of a cancelled wait through.
      """
      : (isOutside(inFlight) ? "\(outsideAdvice) Or" : "Let \(them) end before this step: \(waysToEnd(inFlight))or")
        + " cancel \(them) by `.draining(cancelling:)`, a limit, or `store.shutdown(.cancelling)`."
    return """
      The shutdown has not ended; \(isOne ? "this run is" : "these runs are") still in flight:

      \(list(inFlight))

      \(advice)
      """
  }
}
