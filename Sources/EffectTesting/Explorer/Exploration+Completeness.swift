// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// Fails the test unless everything was tried at this level or a higher one.
  ///
  /// ```swift
  /// let result = await explore(initialState: .init(), reducer: Search(find: { [$0] })) { script in ... }
  /// result.expectComplete()
  /// ```
  ///
  /// An exploration that has failed has already failed the test. It cannot be complete, because its search has stopped.
  /// Then this reports nothing, so that one bug is one failure. `#expect(result.completeLevel == .steps)` would report a
  /// second failure, which is not about the bug.
  ///
  /// A replay is never complete: remove `replaying:` when the bug is fixed.
  ///
  /// - Parameters:
  ///   - level: the lowest level that is enough.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Errors: an incomplete exploration is a failure of the running test, which says why it is not complete.
  public func expectComplete(
    _ level: Exploration.Level = .steps, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    // A failure has been reported wherever this is set.
    if failure != nil { return }
    if let completeLevel, completeLevel >= level { return }
    Reporter.report(
      FailureText.incomplete(self, at: level),
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension FailureText {
  static func incomplete(_ result: Exploration, at level: Exploration.Level) -> String {
    var advice = "Give it a larger `budget:`, or make the script shorter."
    if result.isReplay {
      advice = "A replay runs one schedule. Remove `replaying:`."
    } else if result.cut > 0, !result.hasOnlyRandomCuts {
      advice = endOrRaise(result)
      if let complete = result.completeLevel, result.limits.contains(where: { $0.contains(" deadline") }) {
        advice += """
           A timer that repeats may always tick once more before the next step: with one, expect `.\(complete)`.
          """
      }
    } else if !result.historyGaps.isEmpty, result.historyGaps == result.gaps {
      advice = "Let the senders make fewer requests with one specification."
    } else if !result.gaps.isEmpty || result.waitingCount > 0 {
      advice = gapAdvice(result)
    } else if let complete = result.completeLevel {
      advice =
        result.hasMore
        ? """
        It is complete at a lower level only, and the budget is used up: \(Exploration.count(result.spent, "schedule")) in all. Make the \
        script shorter, expect that level with `expectComplete(.\(complete))`, or write a larger budget: `\(largerBudget(result))`.
        """
        : "`upTo:` ends the search below this level."
    }
    // A result without a level says itself at which one it is not complete.
    let text = "\(result)"
    return
      "The exploration is \(text.hasPrefix("not complete") ? "" : "not complete at level \(level): ")\(text).\n\n\(advice)"
  }

  /// At least ten times as many schedules.
  private static func largerBudget(_ result: Exploration) -> String {
    var budget = 10_000
    while budget < result.spent * 10 { budget *= 10 }
    return "budget: .schedules(\(Exploration.grouped(budget).replacing(",", with: "_")))"
  }

  /// What to do about gaps, and about runs that still waited at the end.
  private static func gapAdvice(_ result: Exploration) -> String {
    var advice: [String] = []
    if result.gaps.contains(where: { $0.hasSuffix(differingOverlaps) }) {
      advice.append("Use one `overlap:` for each id.")
    }
    if !result.timeGaps.isEmpty {
      advice.append("Do not read the time in a run: use `send.sleep(for:)`, or let a mock give it the time.")
    }
    if result.gaps.contains(sharedSend) {
      advice.append("Do not use a `send` after the closure of its run has returned.")
    }
    if result.gaps.contains(heldLock) { advice.append("Do not hold a lock while a run sends.") }
    let known = Set([sharedSend, heldLock] + result.timeGaps + result.historyGaps)
    if result.gaps.contains(where: { !$0.hasSuffix(differingOverlaps) && !known.contains($0) }) {
      advice.append(
        "The search does not choose when such work comes back. Let the test control it, for example by a mock.")
    }
    if !result.historyGaps.isEmpty { advice.append("Let the senders make fewer requests with one specification.") }
    if result.waitingCount > 0 {
      advice.append("If a run that still waited must not wait, let a mock give it what it waits for.")
    }
    return advice.joined(separator: " ")
  }

  /// The end of the gap for an id whose work declares different overlaps.
  static let differingOverlaps = "whose overlaps differ"
  /// The gap for a `Send` that outlives its run.
  static let sharedSend = "the `Send` of a run that had returned, used by others"
  /// The gap for a job that could not go on.
  static let heldLock = "a job that waits for what another job holds while it sends, such as a lock"
}
