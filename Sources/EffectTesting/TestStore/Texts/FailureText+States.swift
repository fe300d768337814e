// This source file is part of swift-effects. License: Apache-2.0.

// Texts about changes of the state.
extension FailureText {
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

  static func stateDiffers(_ difference: String, after step: String, _ advice: String) -> String {
    """
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

  /// What to write into the closure of a step: a sentence without code, or one that is followed by code.
  private static func advice(
    _ code: ChangeCode, _ withoutCode: String, _ withCode: String, isClosure: Bool = true
  ) -> String {
    let note = StepCode.notes(
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
}
