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

  /// All runs sleep or wait for answers.
  static func waitingForAnswers(_ inFlight: InFlight) -> String {
    let isAnyAsleep = inFlight.runs.contains { $0.wakes != nil }
    let others = isAnyAsleep ? ", or sleeps on the test's clock, which shows \(inFlight.now.offset)" : ""
    let time = isAnyAsleep ? " Or let time pass: \(stepToNext(inFlight))." : ""
    return """
      Every run waits for an answer of a mock\(others):

      \(list(inFlight))

      Answer before this step: \(answers(inFlight).joined(separator: " or ")).\(time)
      """
  }

  /// What lets runs end, apart from a cancel, with a comma at the end. Empty if there is nothing else.
  static func waysToEnd(_ inFlight: InFlight) -> String {
    let time = inFlight.runs.contains { $0.wakes != nil } ? [stepToNext(inFlight)] : []
    return (answers(inFlight) + time).map { "\($0), " }.joined()
  }

  /// The steps that answer the calls of these runs.
  private static func answers(_ inFlight: InFlight) -> [String] {
    Array(inFlight.runs.compactMap { $0.awaited?.answer?.step }.prefix(3))
  }

  /// A schedule has ended, and a run waits for an answer that nothing gives.
  static func unanswered(_ run: String, _ answer: AwaitedAnswer?) -> String {
    """
    At the end of a schedule a run waits for an answer that nothing gives:

      \(run): waits for \(answer?.text ?? "an answer of a mock")

    In `explore` the test cannot answer. Let the mock answer by itself: \(answer?.answering ?? "`Mock(answering:)`"). If the \
    run may wait for ever, name its id in the requirements, for example `requiring: [.noDeadlock(except: "load")]`.
    """
  }
}
