// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// Texts for steps that are taken where no step is possible, and for states that cannot be compared.
extension FailureText {
  static func inside(_ step: String, _ phase: EnginePhase) -> String {
    switch phase {
    case .reducing:
      """
      \(step) is called inside `reduce`, in the middle of another step. A reducer changes the state it is given and \
      returns what is to happen as an effect, such as `.send` or `.run`.
      """
    case .comparing:
      """
      \(step) is called in the middle of another step, while ids are compared, a condition is evaluated or an action is \
      released. `==`, `hash`, `deinit`, and the conditions of cancels and retries must not use the store.
      """
    case .resting:
      """
      \(step) is called inside a run of the same store, in the middle of another step. A run sends by its own `send`; \
      the steps belong to the test.
      """
    }
  }

  static func readInside(_ name: String, isReducing: Bool) -> String {
    isReducing
      ? name == "state"
        ? "TestStore: `state` was read inside `reduce`; use the one `reduce` was given"
        : """
        TestStore: `\(name)` was read inside `reduce`; a reducer uses only the state and the action that it is given, so read \
        `\(name)` in the test, behind the step
        """
      : """
      TestStore: `\(name)` was read while ids were compared; `==` and `hash` of an id or input, and conditions of cancels \
      and retries, must not access the store
      """
  }

  static func stateIsObject(_ type: String) -> String {
    """
    The state is an object of the class \(type): before and after a step it is the same one, so no change of it can be seen \
    or proved. Make the state a struct or an enum.
    """
  }

  /// `call` is the line with the step. With several values the code of a path needs their labels, which are not known.
  static func unreadableCase(of type: Any.Type, isOfOneValue: Bool, in call: String?, _ obstacle: String) -> String {
    let path = call?.firstMatch(of: #/receive\(\s*(?<path>(?:\w+\.)+(?<name>\w+))/#)
    var code = ", made by `CasePath(embed:extract:)`."
    if let path, isOfOneValue {
      code = """
        : `await store.receive(CasePath(embed: \(path.path), \
        extract: { if case .\(path.name)(let value) = $0 { value } else { nil } }))`.
        """
    }
    return """
      A `receive` step names a case of \(SwiftNames.ofType(type)), but \(obstacle). Name the case with a path\(code)
      """
  }

  static func afterFinish(_ step: String) -> String {
    "\(step) comes after `finish()`, which ends the test. Move it before, or make another store."
  }

  static func backwards(to offset: Duration, now: TestClock.Instant) -> String {
    """
    Time cannot go back to \(offset): the clock shows \(now.offset).

    `advance(to:)` takes the time since the store was made; `advance(by:)` goes on from now.
    """
  }

  /// A step of a sent action whose store no longer exists.
  static func storeIsGone(_ step: String) -> String {
    """
    \(step) did nothing: the test store that the action was sent to no longer exists.

    Keep it in a variable of the test, and write `await store.finish()` as the last line.
    """
  }
}
