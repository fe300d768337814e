// This source file is part of swift-effects. License: Apache-2.0.

// Texts for steps that are taken where no step is possible, and for states that cannot be compared.
extension FailureText {
  static func inside(_ step: String, isReducing: Bool) -> String {
    isReducing
      ? """
      \(step) is called inside `reduce`, in the middle of another step. A reducer changes the state it is given and \
      returns what is to happen: `.send(…)` or `.run { … }`.
      """
      : """
      \(step) is called inside a run of the same store, in the middle of another step. A run sends by its own `send`; \
      the steps belong to the test.
      """
  }

  static func readInside(_ name: String, isReducing: Bool) -> String {
    isReducing
      ? name == "state"
        ? "TestStore: `state` was read inside `reduce`; use the one `reduce` was given"
        : "TestStore: `\(name)` was read inside `reduce`"
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

  static func unreadableCase(of type: Any.Type, _ obstacle: String) -> String {
    """
    receive(…) was called with a case of \(type), but \(obstacle). Name the case with a path, here for one called `found`: \
    `receive(CasePath(embed: \(type).found, extract: { if case .found(let value) = $0 { value } else { nil } }))`.
    """
  }
}
