// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// Texts about runs that do not end.
extension FailureText {
  static func neverRests(_ inFlight: InFlight) -> String {
    """
    The code of these runs goes on and on without waiting for anything, so this step goes on without them:

    \(names(inFlight.only(\.isOutside)))

    Does a loop call `Task.yield()` until something happens, or swallow the error of a cancelled `sleep`? Does a `retry` \
    go on for ever without a backoff? Wait for what happens, and leave loops when the task is cancelled.
    """
  }

  static func stillOutside(_ inFlight: InFlight, wait: Duration) -> String {
    """
    After waiting \(wait) these runs are still suspended outside of the test's control:

    \(list(inFlight.only(\.isOutside)))

    Give the feature a dependency that answers in the test, or raise `store.externalWait`.
    """
  }

  static func inFlight(_ inFlight: InFlight) -> String {
    let isOne = inFlight.runs.count == 1
    let them = isOne ? "it" : "them"
    let advice =
      isOutside(inFlight)
      ? "\(outsideAdvice) Or send what cancels \(them), or cancel what was sent."
      : "Let \(them) end before `finish()`: \(waysToEnd(inFlight))send what cancels \(them), or cancel what was sent."
    return """
      \(isOne ? "A run is" : "\(inFlight.runs.count) runs are") still in flight at the end of the test:

      \(list(inFlight))

      \(advice)
      """
  }

  static func skippedInFlight(_ inFlight: InFlight) -> String {
    """
    Not proved, because `exhaustivity` is off: what was in flight at the end of the test and is cancelled now:

    \(list(inFlight))
    """
  }

  static func sentInFlight(_ inFlight: InFlight) -> String {
    let isOne = inFlight.runs.count == 1
    let them = isOne ? "it" : "them"
    let advice =
      isOutside(inFlight)
      ? "\(outsideAdvice) Or send what cancels \(them)."
      : "Let \(them) end before this step: \(waysToEnd(inFlight))or send what cancels \(them)."
    return """
      What was sent has not settled; \(isOne ? "this run is" : "these runs are") still in flight:

      \(list(inFlight))

      \(advice)
      """
  }

  /// Whether no run would go on if time passed.
  static func isOutside(_ inFlight: InFlight) -> Bool {
    !inFlight.runs.isEmpty && inFlight.runs.allSatisfy(\.isOutside)
  }

  /// What to do about runs that are suspended outside.
  static let outsideAdvice = """
    More time on the test's clock changes nothing for a run that is suspended outside. Give the feature a dependency \
    that answers in the test, or raise `store.externalWait`.
    """

  static func strangers(_ inFlight: InFlight) -> String {
    let count = inFlight.strangers.count
    return """
      \(count == 1 ? "A task still sleeps" : "\(count) tasks still sleep") on the test's clock at the end of the test:

      \(list(inFlight))

      Does a run start a task and not wait for it? Nothing that such a task does is proved. Await it in the run, or advance the time.
      """
  }

  static let nothingToCancel = """
    There is nothing to cancel: no run is in flight.

    Has it ended before, or was it never started? Leave the step out, or fix the feature.
    """

  static func forkInFlight(_ inFlight: InFlight) -> String {
    let isOne = inFlight.runs.count == 1
    return """
      A test store cannot be forked while runs are in flight, because runs cannot be copied:

      \(list(inFlight))

      Let \(isOne ? "it" : "them") end before this step, or cancel \(isOne ? "it" : "them"). The fork goes on without \
      \(isOne ? "it" : "them").
      """
  }

  static func nothingSleeps(_ inFlight: InFlight) -> String {
    let runs = inFlight.isEmpty ? "Nothing is in flight." : "These runs are in flight:\n\n\(list(inFlight))"
    return """
      There is no next instant: nothing waits for time to pass on the test's clock, which shows \
      \(inFlight.now.offset).

      \(runs)

      Does the feature wait by `send.sleep(for:)` or `send.clock`? Other clocks are not moved by the test.
      """
  }

  static func neverIdle(_ inFlight: InFlight, limit: Int) -> String {
    """
    `runUntilIdle` has moved the test's clock \(limit == 1 ? "once" : "\(max(0, limit)) times"), and work still waits for time. The clock \
    shows \(inFlight.now.offset):

    \(list(inFlight))

    Does a run sleep in a loop? Cancel it before this step, use `store.advanceToNext()`, or raise `limit:`.
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

  /// `step` receives what is held, if it can be written.
  static func finishForgotten(held: String?, step: StepCode?, dropped: [String], inFlight: InFlight) -> String {
    var parts = ["The test ended without `await store.finish()`, and not everything was over."]
    var advice: [String] = []
    if let held {
      let code = step.map { "\n\n\(toWriteFirst($0).trimmingPrefix(while: \.isWhitespace))" } ?? ""
      parts.append("Arrived, and no `receive` step took it:\n\n  \(held)\(code)")
      advice.append("receive what arrived")
    }
    if !dropped.isEmpty {
      parts.append("Dropped and not asserted:\n\n\(shown(dropped))")
      advice.append("assert what was dropped")
    }
    if !inFlight.isEmpty || !inFlight.strangers.isEmpty {
      parts.append("In flight:\n\n\(list(inFlight))")
      let isAsleep = inFlight.runs.contains { $0.wakes != nil } || !inFlight.strangers.isEmpty
      advice.append("let the runs end\(isAsleep ? ", for example by \(stepToNext(inFlight))" : "")")
    }
    let first = advice.isEmpty ? "Write" : "First \(advice.joined(separator: ", then ")). Then write"
    parts.append("\(first) `await store.finish()` as the last step.")
    return parts.joined(separator: "\n\n")
  }
}
