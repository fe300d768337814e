// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// What is in flight, and what lets it go on.
extension FailureText {
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

  static func names(_ inFlight: InFlight) -> String {
    shown(inFlight.runs.map { place($0.run) })
  }

  /// The step that lets time pass until the first run wakes.
  static func stepToNext(_ inFlight: InFlight) -> String {
    let first = (inFlight.runs.compactMap(\.wakes) + inFlight.strangers).filter { $0.offset < .never }.min()
    guard let first else { return "`store.advanceToNext()`" }
    return "`store.advance(by: \(SwiftLiteral.duration(inFlight.now.duration(to: first))))`"
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
}
