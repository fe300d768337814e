// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// The texts of all failures and notes: what was expected, what happened, where, and what to write next.
enum FailureText {
  // MARK: - State

  /// `code` turns the state before the step into the state after it, and `correction` the expected one.
  static func stateDiffers(
    _ difference: String, after step: String, isUnchanged: Bool, code: @autoclosure () -> ChangeCode,
    correction: @autoclosure () -> ChangeCode
  ) -> String {
    let advice =
      if isUnchanged {
        "The step changed nothing. Does the reducer handle this action, and in this state? Fix it, or leave the closure out."
      } else {
        closureAdvice(code(), correction)
      }
    return """
      The state after \(step) is not what the test expects (- expected, + actual):

      \(difference)

      \(advice)
      """
  }

  /// The whole closure, or only what is to be added to it if that is much less.
  private static func closureAdvice(_ code: ChangeCode, _ correction: () -> ChangeCode) -> String {
    let without = "Change the closure to set what the feature really does, or fix the reducer"
    if code.isEmpty || code.length > correctedLength {
      let correction = correction()
      if !correction.isEmpty, correction.unwritten.isEmpty, correction.unshown.isEmpty,
        code.isEmpty || correction.length * 2 <= code.length
      {
        return advice(
          correction, without, "If the reducer is right, the closure lacks this at its end", isClosure: false)
      }
    }
    return advice(code, without, "If the reducer is right, the closure is")
  }

  /// A closure that is longer is not shown again if it is wrong in few places.
  private static let correctedLength = 60

  /// `code` turns the state before the step into the state after it.
  static func unexpectedChange(_ difference: String, after step: String, code: ChangeCode) -> String {
    """
    The state changed by \(step), and the test expects no change (- before, + after):

    \(difference)

    \(advice(
      code, "If that is wrong, fix the reducer. If it is right, set the new state in a closure after the step",
      "If that is wrong, fix the reducer. If it is right, write a closure after the step"))
    """
  }

  /// `isPart`: only a part of the state is compared.
  static func noChange(after step: String, isPart: Bool = false) -> String {
    """
    \(isPart ? "What is compared of the state" : "The state") did not change by \(step), and the closure of the step changes \
    nothing \(isPart ? "of it " : "")either.

    Leave the closure out, or set in it what should change.
    """
  }

  static func expectationThrew(_ error: any Error, after step: String) -> String {
    """
    The closure that says what to expect after \(step) threw an error, so the state was not compared:

      \(ValueText.of(error))

    It is given the state before the step. Does it access something that does not exist yet?
    """
  }

  static func stateDiffers(_ difference: String, after step: String, _ advice: String) -> String {
    """
    The state after \(step) is not what the test expects (- expected, + actual):

    \(difference)

    \(advice)
    """
  }

  /// The expected change is made by an action that is held. `step` receives it, if it can be written.
  static func changedByHeld(_ action: String, step: StepCode?) -> String {
    let what =
      step.map { step in
        let notes = StepCode.notes([step])
        return step.text.contains("\n")
          ? ":\n\n\(indented(step.text))\(notes.isEmpty ? "" : "\n\n\(notes)")"
          : ": `\(step.text)`.\(notes.isEmpty ? "" : " \(notes)")"
      } ?? ", in the step that receives it."
    return """
      This change is made by \(action). It is held until the test receives it. Expect the change there\(what)
      """
  }

  static let looseAdvice = """
    With `exhaustivity` off, the closure is given the state after the step and must change nothing: assign new values by \
    `=`, and do not use `+=`, `append` or other code that depends on the former value. Otherwise fix the reducer.
    """

  static func skippedChange(_ difference: String, by step: String) -> String {
    """
    Not proved, because `exhaustivity` is off: the state changed by \(step) (- before, + after), and only what the closure \
    of the step sets was compared:

    \(difference)
    """
  }

  static func assertionFailed(_ difference: String) -> String {
    """
    The state is not what the test asserts (- asserted, + actual):

    \(difference)

    The closure is given the present state and must change nothing. Set in it what the feature really has reached, or \
    fix the reducer of the steps before.
    """
  }

  static func assertionThrew(_ error: any Error) -> String {
    """
    The closure of `assert` threw an error, so the state was not compared:

      \(ValueText.of(error))
    """
  }

  // MARK: - Actions

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

  /// Reflection does not show initializers, so proposed code may call one that does not exist.
  static let initializerNote = """
    `.init` is called with every stored property. If the type does not have this initializer, call another one.
    """

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

  // MARK: - Steps

  static func afterFinish(_ step: String) -> String {
    "\(step) comes after `finish()`, which ends the test. Move it before, or make another store."
  }

  static func backwards(to offset: Duration, now: TestClock.Instant) -> String {
    """
    Time cannot go back to \(offset): the clock shows \(now.offset).

    `advance(to:)` takes the time since the store was made; `advance(by:)` goes on from now.
    """
  }

  // MARK: - Parts

  static func line(of action: any Sendable, from source: HeldSource, isBrief: Bool = false) -> String {
    "\(isBrief ? brief(action) : ValueText.of(action)) from \(describe(source))"
  }

  /// An action inside a sentence: enough to recognise it.
  static func brief(_ action: any Sendable) -> String { ValueText.of(action, limit: 120) }

  /// A value as it can be written into the test, if it is short.
  static func code(_ value: any Sendable) -> String? { SwiftLiteral.of(value, limit: 100).code }

  /// The predicate of a step, as code, that accepts actions of the same case; `nil` if the name of the case is not known.
  static func predicate(_ action: any Sendable) -> String? {
    SwiftNames.pattern(of: action).map { "where: { if case \($0) = $0 { true } else { false } }" }
  }

  /// The step that receives an action; `nil` if it cannot be written.
  static func receive(_ action: any Sendable, _ change: ChangeCode) -> StepCode? {
    guard
      let argument = (action is any Equatable ? code(action) : nil) ?? SwiftNames.ofCase(action) ?? predicate(action)
    else { return nil }
    return StepCode("await store.receive(\(argument))", change)
  }

  /// What is to be said beside proposed code.
  static func notes(callsInitializer: Bool, unwritten: [String], isShortened: Bool) -> String {
    var notes = callsInitializer ? [initializerNote] : []
    if !unwritten.isEmpty { notes.append(notWritten(unwritten)) }
    if isShortened { notes.append("Fill in what is a comment: it is too long to be shown here.") }
    return notes.joined(separator: " ")
  }

  /// What to write into the closure of a step: a sentence without code, or one that is followed by code.
  private static func advice(
    _ code: ChangeCode, _ withoutCode: String, _ withCode: String, isClosure: Bool = true
  ) -> String {
    let note = notes(
      callsInitializer: code.callsInitializer, unwritten: code.unwritten,
      isShortened: !code.isEmpty && !code.unshown.isEmpty)
    let space = note.isEmpty ? "" : " "
    if code.isEmpty { return "\(withoutCode).\(tooLong(code.unshown))\(space)\(note)" }
    if code.isOneLine {
      return "\(withCode): `\(isClosure ? code.closure : code.statements[0])`.\(space)\(note)"
    }
    let text = isClosure ? code.closure : code.statements.joined(separator: "\n")
    return "\(withCode):\n\n\(indented(text))\(note.isEmpty ? "" : "\n\n\(note)")"
  }

  private static func tooLong(_ places: [String]) -> String {
    if places.isEmpty { return "" }
    let calls = places.prefix(3).map { "`print(\($0))`" }.joined(separator: ", ")
    let values = places.count == 1 ? "The new value is" : "The new values are"
    return " \(values) too long to be shown here: write \(calls) behind the step."
  }

  private static func notWritten(_ places: [String]) -> String {
    let more = places.count > 5 ? " and \(places.count - 5) more" : ""
    let list = places.prefix(5).joined(separator: ", ")
    return "Not written here as code, because reflection does not show how: \(list)\(more)."
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
  }

  /// The step that lets time pass until the first run wakes.
  static func stepToNext(_ inFlight: InFlight) -> String {
    let first = (inFlight.runs.compactMap(\.wakes) + inFlight.strangers).filter { $0.offset < .never }.min()
    return first.map { "`store.advance(by: \(literal(inFlight.now.duration(to: $0))))`" } ?? "`store.advanceToNext()`"
  }

  /// A duration as in code: `.milliseconds(300)`.
  static func literal(_ duration: Duration) -> String {
    // More seconds than an `Int64` can hold have no components.
    guard duration.attoseconds.magnitude / 1_000_000_000_000_000_000 <= Int64.max else {
      return "Duration(attoseconds: \(duration.attoseconds))"
    }
    let (seconds, attoseconds) = duration.components
    let scales: [(unit: String, attoseconds: Int64)] = [
      ("seconds", 1_000_000_000_000_000_000), ("milliseconds", 1_000_000_000_000_000),
      ("microseconds", 1_000_000_000_000), ("nanoseconds", 1_000_000_000),
    ]
    // Decades with a fraction of a second may not fit into an `Int64` as nanoseconds.
    guard attoseconds == 0 || seconds.magnitude < 1_000_000_000,
      let scale = scales.first(where: { attoseconds % $0.attoseconds == 0 })
    else { return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))" }
    let whole = attoseconds == 0 ? seconds : seconds * (1_000_000_000_000_000_000 / scale.attoseconds)
    return ".\(scale.unit)(\(whole + attoseconds / scale.attoseconds))"
  }

  private static func describe(_ source: HeldSource) -> String {
    switch source {
    case .run(let task): place(task.run)
    case .turn(of: let first?): "a `.send` effect in the turn of \(ValueText.of(first))"
    case .turn(of: nil): "a `.send` effect behind a run that ended"
    }
  }

  /// A run and the line that built it. Values are printed as everywhere in these texts.
  static func place(_ run: EffectRun) -> String {
    var parts: [String] = []
    if let id = run.id { parts.append("\(id)") }
    if let input = run.input { parts.append("input: \(ValueText.of(input))") }
    if let name = run.name { parts.append("name: \(ValueText.of(name))") }
    if run.overlap != .concurrent { parts.append("overlap: \(run.overlap)") }
    return "run(\(parts.joined(separator: ", ")))\(run.timing?.description ?? "") at \(run.site)"
  }

  static func shown(_ actions: ActionCount) -> String {
    shown(actions.lines, others: actions.total - actions.lines.count)
  }

  /// Lines below one another, at most twenty. Equal lines in succession are shown once, with their count.
  static func shown(_ lines: [String], others: Int = 0) -> String {
    var folded: [(line: String, count: Int)] = []
    for line in lines {
      if folded.last?.line == line { folded[folded.count - 1].count += 1 } else { folded.append((line, 1)) }
    }
    let shown = folded.prefix(20).map { $0.count == 1 ? "  \($0.line)" : "  \($0.line) (\($0.count) times)" }
    let rest = folded.dropFirst(20).reduce(others) { $0 + $1.count }
    return (shown + (rest > 0 ? ["  … and \(rest) more"] : [])).joined(separator: "\n")
  }

  static func names(_ inFlight: InFlight) -> String {
    shown(inFlight.runs.map { place($0.run) })
  }

  static func list(_ inFlight: InFlight) -> String {
    var lines = inFlight.runs.map { run in
      var what = "suspended outside of the test's control"
      if let wakes = run.wakes, let postponed = run.postponed {
        let wait = wakes.offset < .never ? "in \(inFlight.now.duration(to: wakes))" : "never: its wait has no end"
        what = "\(postponed == .toStart ? "starts" : "tries again") \(wait)"
      } else if let wakes = run.wakes {
        what = wakes.offset < .never ? "asleep for \(inFlight.now.duration(to: wakes)) more" : "asleep without end"
      }
      if let awaited = run.awaited {
        let answer = "waits for \(awaited.answer?.text ?? "an answer of a mock")"
        what = run.wakes == nil ? answer : "\(what), and \(answer)"
      }
      if let missed = run.missed {
        what += """
          ; it did not see time move on from \(missed), because it was suspended outside then: write \
          `await store.settle()` before `advance`
          """
      }
      let cause = run.cause.map { ValueText.of($0, limit: 60) } ?? "the end of another run"
      return "\(place(run.run)), caused by \(cause): \(what)"
    }
    if let first = inFlight.strangers.first {
      let count = inFlight.strangers.count
      lines.append(
        """
        \(lines.isEmpty ? "" : "and ")\(count == 1 ? "a task" : "\(count) tasks") of no known run, maybe detached, asleep \
        for \(inFlight.now.duration(to: first)) more
        """)
    }
    return shown(lines)
  }
}
