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
    """
    The closure that says what to expect after \(step) threw an error, so the state was not compared:

      \(Difference.describe(error))
    """
  }

  // MARK: - Actions

  static func otherReceived<Action>(_ expected: String, from source: Held<Action>.Source, _ difference: String)
    -> String
  {
    """
    Expected to receive \(expected), but the next action is another one (- expected, + actual):

    \(difference)

    It came from \(describe(source)). Actions are received in the order they arrive: receive this one first, or \
    mend what the effect sends.
    """
  }

  static func nothingReceived(_ expected: String, inFlight: InFlight) -> String {
    let reason: String
    if inFlight.isEmpty {
      reason = """
        Nothing is in flight, so nothing can send it. Does an effect send it, and was it received before? A run that \
        was cancelled or replaced sends nothing more.
        """
    } else if inFlight.runs.allSatisfy({ $0.wakes != nil }) {
      reason = """
        Every run sleeps on the test's clock, which stands at \(inFlight.now.offset):

        \(list(inFlight))

        Let time pass before this step: `store.advance(by: …)`.
        """
    } else {
      reason = """
        These runs have not sent it in time:

        \(list(inFlight))

        A run that is suspended outside waits for something the test does not control. Give the feature a dependency \
        that answers in the test, or raise `externalWait`.
        """
    }
    return "Expected to receive \(expected), but no action arrived.\n\n\(reason)"
  }

  static func unhandled(_ actions: [String], isEndless: Bool, before step: String) -> String {
    let shown = actions.prefix(20).map { "  \($0)" }.joined(separator: "\n")
    let rest = actions.count > 20 ? "\n  … and \(actions.count - 20) more" : ""
    let end =
      isEndless
      ? "\n\nThere was no end to them: do runs and reducers answer one another in a circle? Every run was cancelled."
      : ""
    return """
      \(actions.count == 1 ? "An action was" : "\(actions.count) actions were") received before \(step), and the test \
      does not say so:

      \(shown)\(rest)

      Write `await store.receive(…)` for \(actions.count == 1 ? "it" : "each") before this step.\(end)
      """
  }

  static func followUpCycle<Action>(_ latest: [Action], count: Int) -> String {
    let texts = latest.map { Difference.describe($0) }
    let period = (1..<texts.count).first { texts.dropFirst($0).elementsEqual(texts.dropLast($0)) } ?? 3
    return """
      A turn has \(count) actions and still goes on; the last are:

        \(texts.suffix(period + 1).joined(separator: " → ")) → …

      Do reducers send one another actions in a circle? A `.send` effect belongs to the turn, so one of them must stop. \
      What was left of the turn was dropped.
      """
  }

  // MARK: - Runs

  static func failure(_ failure: EffectFailure) -> String {
    if let conflict = failure.error as? OverlapConflict { return overlaps(conflict) }
    return """
      A run threw an error and has no `catch`: \(Difference.describe(failure.error))

        \(failure.run) at \(failure.run.site)

      Add `catch: { error, send in … }` to the run, or catch the error inside it.
      """
  }

  static func overlaps(_ conflict: OverlapConflict) -> String {
    """
    Two kinds of overlap under one id: \(conflict.newer.overlap) and \(conflict.older.overlap)

      \(conflict.newer) at \(conflict.newer.site)
      met \(conflict.older) at \(conflict.older.site)

    Which of them decides depends on who comes last. Use one kind of overlap for an id, or two ids. A run that names no \
    overlap is `.concurrent`.
    """
  }

  static func neverRests(_ inFlight: InFlight) -> String {
    """
    The code of these runs goes on and on without waiting for anything, so this step would never end:

    \(names(inFlight.only { $0.wakes == nil }))

    Does a loop call `Task.yield()` until something happens, or swallow the error of a cancelled `sleep`? Wait for what \
    happens, and leave loops when the task is cancelled.
    """
  }

  static func stillOutside(_ inFlight: InFlight, wait: Duration) -> String {
    """
    After waiting \(wait) these runs are still suspended outside of the test's control:

    \(list(inFlight.only { $0.wakes == nil }))

    Give the feature a dependency that answers in the test, or raise `externalWait`.
    """
  }

  static func inFlight(_ inFlight: InFlight) -> String {
    let isOne = inFlight.runs.count == 1
    return """
      \(isOne ? "A run is" : "\(inFlight.runs.count) runs are") still in flight at the end of the test:

      \(list(inFlight))

      Let \(isOne ? "it" : "them") end before `finish()`: advance the time, send what cancels \(isOne ? "it" : "them"), \
      or cancel what was sent.
      """
  }

  static func ignoresCancellation(_ inFlight: InFlight) -> String {
    let isOne = inFlight.runs.count == 1
    return """
      \(isOne ? "A run was cancelled and goes" : "\(inFlight.runs.count) runs were cancelled and go") on at the end of \
      the test:

      \(list(inFlight))

      Nothing \(isOne ? "it sends" : "they send") is reduced any more, but the closure has not returned: it ignores \
      its cancellation. Call `try Task.checkCancellation()` in its loops, and let the error of a cancelled wait through.
      """
  }

  static func finishForgotten(held: String?, inFlight: InFlight) -> String {
    var parts = ["The test ended without `await store.finish()`, and not everything was over."]
    if let held { parts.append("Received and not asserted:\n\n  \(held)") }
    if !inFlight.isEmpty { parts.append("In flight:\n\n\(list(inFlight))") }
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

  static func line<Action>(of action: Action, from source: Held<Action>.Source) -> String {
    "\(Difference.describe(action)) from \(describe(source))"
  }

  private static func describe<Action>(_ source: Held<Action>.Source) -> String {
    switch source {
    case .run(let run): "\(run) at \(run.site)"
    case .turn(of: let first?): "a `.send` effect in the turn of \(Difference.describe(first))"
    case .turn(of: nil): "a `.send` effect behind a run that ended"
    }
  }

  private static func names(_ inFlight: InFlight) -> String {
    inFlight.runs.map { "  \($0.run) at \($0.run.site)" }.joined(separator: "\n")
  }

  private static func list(_ inFlight: InFlight) -> String {
    var lines = inFlight.runs.map { run in
      var what = "suspended outside of the test's control"
      if let wakes = run.wakes { what = "asleep for \(inFlight.now.duration(to: wakes)) more" }
      if let missed = run.missed {
        what += """
          ; it did not see time move on from \(missed), because it was suspended outside then: write \
          `await store.settle()` before `advance`
          """
      }
      return "  \(run.run) at \(run.run.site): \(what)"
    }
    if let first = inFlight.strangers.first {
      let count = inFlight.strangers.count
      lines.append(
        """
          and \(count == 1 ? "a task" : "\(count) tasks") of no known run, perhaps detached, asleep for \
        \(inFlight.now.duration(to: first)) more
        """)
    }
    return lines.joined(separator: "\n")
  }
}
