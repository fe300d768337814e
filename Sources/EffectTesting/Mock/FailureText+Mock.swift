// This source file is part of swift-effects. License: Apache-2.0.

/// The calls of a mock, for a failure text.
struct MockedCalls {
  let mock: String
  /// A line for each call, in their order.
  let lines: [String]
  /// How many ended calls are not among the lines, and how many pending ones.
  let earlier: Int
  let later: Int
  let isAnyPending: Bool
  /// The position that was to be answered; `nil` for a predicate.
  let position: Int?
  /// The step that answers the oldest call: as code, or described.
  let step: String
}

// Texts about calls of mocks.
extension FailureText {
  /// `answer` was called, and no call that it could answer waits.
  static func nothingToAnswer(_ calls: MockedCalls) -> String {
    if calls.lines.isEmpty {
      return """
        There is no call to answer: \(calls.mock) has not been called.

        Send the action whose effect calls it before this line. If the effect waits for its time, write \
        `store.advanceToNext()` as well; if it works outside of the test's control, `await store.settle()`.
        """
    }
    var lines = calls.lines.map { "  \($0)" }
    if calls.earlier > 0 { lines.insert("  … \(calls.earlier) that ended earlier", at: 0) }
    if calls.later > 0 { lines.append("  … and \(calls.later) that are pending") }
    let list = lines.joined(separator: "\n")
    if !calls.isAnyPending {
      return """
        There is no call to answer: every call of \(calls.mock) has ended.

        \(list)

        A call is answered once, and a cancelled call has ended by itself. Leave this line out, or send the action whose \
        effect makes a further call before it.
        """
    }
    let what =
      calls.position.map { "No call is pending at position \($0)" } ?? "The predicate accepts no pending call"
    return """
      \(what) of \(calls.mock). Its calls:

      \(list)

      Choose a pending call, for example the oldest one: \(calls.step).
      """
  }

  /// `answer` was called on a mock that answers by itself.
  static func answersItself(_ name: String?, _ type: String, at place: TestLocation) -> String {
    """
    No call waits for `answer`: the mock at \(place.fileID):\(place.line) answers its calls itself.

    Leave this line out, or make the mock without `answering:`: `let \(name ?? "mock") = \(type)()`.
    """
  }

  /// A mock was called that must not be called.
  static func unexpectedCall(_ input: String?, at place: TestLocation, _ advice: String) -> String {
    """
    The mock at \(place.fileID):\(place.line) was called\(input.map { " with \($0)" } ?? ""), and the test expects no call.

    If the call is right, make the mock by \(advice).
    """
  }
}
