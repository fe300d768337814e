// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// Texts about actions that were received, or were not.
extension FailureText {
  /// `step` receives the action, if it can be written. `order` are the actions from the held one to the expected one; empty if
  /// the expected one has not come.
  static func otherReceived(
    _ expected: String, from source: HeldSource, _ difference: String, step: StepCode?, order: [String]
  ) -> String {
    let text = """
      Expected to receive \(expected), but the next action is another one (- expected, + actual):

      \(difference)

      It came from \(describe(source)). Actions are received in the order they arrive: receive this one first, or \
      fix what the effect sends.\(step.map(toWriteFirst) ?? "")
      """
    if order.isEmpty { return text }
    return "\(text)\n\nThe expected action has come too, behind it. Receive them in this order:\n\n\(shown(order))"
  }

  /// The step that takes what came first.
  static func toWriteFirst(_ step: StepCode) -> String {
    let notes = StepCode.notes([step])
    if step.text.contains("\n") {
      return "\n\nTo receive it, write:\n\n\(indented(step.text))\(notes.isEmpty ? "" : "\n\n\(notes)")"
    }
    return " To receive it, write `\(step.text)`.\(notes.isEmpty ? "" : " \(notes)")"
  }

  /// A note and not a failure, because the action may still come.
  static func waitsInRealTime(_ expected: String, _ outside: InFlight) -> String {
    """
    This step has waited 100 ms of real time for \(expected), because these runs are suspended outside of the \
    test's control:

    \(names(outside))

    It goes on waiting, at most `externalWait`. Give the feature a dependency that answers in the test.
    """
  }

  static func nothingReceived(_ expected: String, skipped: ActionCount, inFlight: InFlight) -> String {
    let reason: String
    if inFlight.isEmpty {
      reason = """
        Nothing is in flight, so nothing can send it. Does an effect send it at all, or did an earlier step receive it? A \
        run that was cancelled, replaced or has ended sends nothing more: does a task outlive it?
        """
    } else {
      reason = waitingFor(inFlight)
    }
    let what = skipped.total == 0 ? "no action arrived." : "these are all that arrived:\n\n\(shown(skipped))"
    return "Expected to receive \(expected), but \(what)\n\n\(reason)"
  }

  /// Why the expected action has not come: what the runs in flight wait for, and what to do.
  static func waitingFor(_ inFlight: InFlight) -> String {
    if inFlight.runs.contains(where: \.isOutside) {
      return """
        These runs have not sent it in time:

        \(list(inFlight))

        A run that is suspended outside waits for something the test does not control. Give the feature a dependency \
        that answers in the test, or raise `store.externalWait`.
        """
    }
    if inFlight.runs.contains(where: { $0.awaited != nil }) { return waitingForAnswers(inFlight) }
    // A run with a `delay` or `debounce` has not started, and does not sleep.
    let waits = inFlight.runs.contains { $0.postponed != nil } ? "waits for its time" : "sleeps"
    return """
      Every run \(waits) on the test's clock, which shows \(inFlight.now.offset):

      \(list(inFlight))

      Let time pass before this step: \(stepToNext(inFlight)).
      """
  }

  /// `code` are the steps that receive the first of the actions, as many as can be written. `turn` is for a step that lets
  /// time pass: the action in whose turn the first of the actions was sent by `.send`.
  static func unhandled(
    _ actions: ActionCount, code: [StepCode], isEndless: Bool, before step: String, turn: String? = nil
  ) -> String {
    let isOne = actions.total == 1
    let advice =
      isEndless
      ? """
      Then the step stopped and cancelled every run, because time did not pass and another action had come. Do runs and \
      reducers answer one another in a circle?
      """
      : steps("receive", for: actions.total, code, "before this step")
    return """
      \(isOne ? "An action was" : "\(actions.total) actions were") received before \(step), and the test \
      does not say so:

      \(shown(actions))

      \(advice)\(turn.map(takesNoTime) ?? "")
      """
  }

  /// Which steps to write, with the code of the first ones. The others have no code, or there are too many.
  static func steps(_ name: String, for count: Int, _ code: [StepCode], _ position: String) -> String {
    if code.isEmpty { return "Write a `\(name)` step for \(count == 1 ? "it" : "each") \(position)." }
    let notes = StepCode.notes(code)
    if count == 1, !code[0].text.contains("\n") {
      return "Write `\(code[0].text)` for it \(position).\(notes.isEmpty ? "" : " \(notes)")"
    }
    let beginning =
      code.count == count ? "Write \(position)" : "Write a `\(name)` step for each \(position). The first ones are"
    return
      "\(beginning):\n\n\(indented(code.map(\.text).joined(separator: "\n")))\(notes.isEmpty ? "" : "\n\n\(notes)")"
  }

  private static func takesNoTime(_ turn: String) -> String {
    """


    A `.send` takes no time: its action comes in the turn of \(turn), before time passes. If it is to come later, add \
    `.delay(for:)` to the effect.
    """
  }

  static func skipped(_ actions: ActionCount, before step: String) -> String {
    """
    Not proved, because `exhaustivity` is off: what was received before \(step):

    \(shown(actions))
    """
  }

  static func nothingToSkip(_ inFlight: InFlight) -> String {
    let runs = inFlight.isEmpty ? "Nothing is in flight either." : "These runs are in flight:\n\n\(list(inFlight))"
    return """
      There is nothing to skip: no action was received.

      \(runs)

      Let time pass or `await store.settle()` before this step, or leave it out.
      """
  }

  static func followUpCycle(_ latest: [any Sendable], count: Int) -> String {
    let texts = latest.map { ValueText.of($0) }
    let period = (1..<texts.count).first { texts.dropFirst($0).elementsEqual(texts.dropLast($0)) } ?? 3
    return """
      A turn has \(count) actions and still goes on; the last are:

        \(texts.suffix(period + 1).joined(separator: " → ")) → …

      Do reducers send one another actions in a circle? A `.send` effect belongs to the turn, so one of them must stop. \
      The rest of the turn was dropped.
      """
  }

  static func line(of action: any Sendable, from source: HeldSource, isBrief: Bool = false) -> String {
    "\(isBrief ? brief(action) : ValueText.of(action)) from \(describe(source))"
  }

  private static func describe(_ source: HeldSource) -> String {
    switch source {
    case .run(let task): place(task.run)
    case .turn(of: let first?): "a `.send` effect in the turn of \(ValueText.of(first))"
    case .turn(of: nil): "a `.send` effect behind a run that ended"
    }
  }

  static func shown(_ actions: ActionCount) -> String {
    shown(actions.lines, others: actions.total - actions.lines.count)
  }
}
