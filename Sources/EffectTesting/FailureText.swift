// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Every text a test can fail with, in one place: what was expected, what happened, where, and what to write next.
enum FailureText {
  // MARK: - State

  static func stateDiffers(_ difference: String, after step: String) -> String {
    """
    The state after \(step) is not what the test expects (- expected, + actual):

    \(difference)

    Change the closure to set what the feature really does, or mend the reducer.
    """
  }

  static func unexpectedChange(_ difference: String, after step: String) -> String {
    """
    The state changed by \(step), and the test expects no change (- before, + after):

    \(difference)

    If that is right, say so in a closure behind the step: `{ $0.… = … }`.
    """
  }

  static func noChange(after step: String) -> String {
    """
    The state did not change by \(step), and the closure behind the step changes nothing either.

    Leave the closure out, or set in it what should change.
    """
  }

  static func expectationThrew(_ error: any Error, after step: String) -> String {
    "The closure that says what to expect after \(step) threw: \(error)"
  }

  // MARK: - Actions

  static func otherReceived(_ expected: String, _ actual: some Any, from run: EffectRun?, _ difference: String)
    -> String
  {
    """
    Expected to receive \(expected), but the next action is another one (- expected, + actual):

    \(difference)

    It came from \(source(of: run)). Actions are received in the order they arrive: receive this one first, or \
    mend what the effect sends.
    """
  }

  static func nothingReceived(_ expected: String, inFlight: [InFlight], now: TestClock.Instant) -> String {
    let reason: String
    if inFlight.isEmpty {
      reason = "Nothing is in flight, so nothing can send it. Does an effect send it, and was it received before?"
    } else if inFlight.allSatisfy({ $0.wakes != nil }) {
      reason = """
        Every run sleeps on the test's clock, which stands at \(now.offset):

        \(list(inFlight, now: now))

        Advance the time before this step: `store.advance(by: …)`.
        """
    } else {
      reason = """
        These runs have not sent it in time:

        \(list(inFlight, now: now))

        A run outside waits for something the test does not control. Give the feature a dependency that answers in \
        the test, or raise `externalWait`.
        """
    }
    return "Expected to receive \(expected), but no action arrived.\n\n\(reason)"
  }

  static func unhandled(_ actions: [String], before step: String) -> String {
    """
    \(actions.count == 1 ? "An action was" : "\(actions.count) actions were") received before \(step), and the test \
    does not say so:

    \(actions.map { "  \($0)" }.joined(separator: "\n"))

    Write `await store.receive(…)` for \(actions.count == 1 ? "it" : "each") before this step.
    """
  }

  static func followUpCycle(_ action: some Any, count: Int) -> String {
    """
    A turn has \(count) actions and still goes on; the last is \(Difference.describe(action)).

    Do reducers send one another actions in a circle? What is left of the turn was dropped.
    """
  }

  // MARK: - Runs

  static func uncaught(_ failure: EffectFailure) -> String {
    """
    A run threw an error and has no `catch`: \(Difference.describe(failure.error))

      \(failure.run) at \(failure.run.site)

    Add `catch: { error, send in … }` to the run, or catch the error inside it.
    """
  }

  static func stillOutside(_ runs: [InFlight], wait: Duration) -> String {
    """
    After waiting \(wait) these runs are still suspended outside of the test's control:

    \(list(runs.filter { $0.wakes == nil }, now: nil))

    Give the feature a dependency that answers in the test, or raise `externalWait`.
    """
  }

  static func inFlight(_ runs: [InFlight], now: TestClock.Instant) -> String {
    """
    \(runs.count == 1 ? "A run is" : "\(runs.count) runs are") still in flight at the end of the test:

    \(list(runs, now: now))

    Let \(runs.count == 1 ? "it" : "them") end before `finish()`: advance the time, send what cancels \
    \(runs.count == 1 ? "it" : "them"), or cancel what was sent.
    """
  }

  static func finishForgotten(held: String?, inFlight: [InFlight], now: TestClock.Instant) -> String {
    var parts = ["The test ended without `await store.finish()`, and not everything was over."]
    if let held { parts.append("Received and not asserted:\n\n  \(held)") }
    if !inFlight.isEmpty { parts.append("In flight:\n\n\(list(inFlight, now: now))") }
    parts.append("Assert what was received, let the runs end, and write `await store.finish()` as the last step.")
    return parts.joined(separator: "\n\n")
  }

  // MARK: - Steps

  static func afterFinish(_ step: String) -> String {
    "\(step) comes after `finish()`, which ends the test. Move it before, or make another store."
  }

  static func backwards(to offset: Duration, now: TestClock.Instant) -> String {
    "Time cannot go back to \(offset): the clock shows \(now.offset)."
  }

  // MARK: - Parts

  static func line(of action: some Any, from run: EffectRun?) -> String {
    "\(Difference.describe(action)) from \(source(of: run))"
  }

  private static func source(of run: EffectRun?) -> String {
    guard let run else { return "a `.send` effect of the turn" }
    return "\(run) at \(run.site)"
  }

  private static func list(_ runs: [InFlight], now: TestClock.Instant?) -> String {
    runs.map { run in
      let what: String
      if let wakes = run.wakes {
        what = now.map { "asleep for \($0.duration(to: wakes)) more" } ?? "asleep"
      } else {
        what = "suspended outside of the test's control"
      }
      let ignores = run.isCancelled ? ", although cancelled" : ""
      return "  \(run.run) at \(run.run.site): \(what)\(ignores)"
    }.joined(separator: "\n")
  }
}
