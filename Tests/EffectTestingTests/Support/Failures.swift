// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime
@testable import EffectTesting

/// A failure as the reader of a test report sees it.
///
/// Compared by line and text. The drawing of the test so far comes after the text and is checked separately.
struct Failure: Equatable, CustomTestStringConvertible {
  let line: Int
  let text: String
  let timeline: String?

  init(line: Int, _ text: String) {
    self.line = line
    let parts = text.split(separator: "\n\n\(FailureText.timelineHeading)\n\n", maxSplits: 1)
    self.text = parts.first.map(String.init) ?? ""
    timeline = parts.count > 1 ? String(parts[1]) : nil
  }

  static func == (left: Failure, right: Failure) -> Bool { left.line == right.line && left.text == right.text }

  var testDescription: String { "line \(line):\n\(text)\n" }
}

/// The failures that a body records with the test library, in order, word for word.
///
/// They are known issues: the caller must compare the result, or nothing is tested. The test stores count them as
/// failures, unless `knownIssuesCount` is false.
func failures(
  knownIssuesCount: Bool = true, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [Failure] {
  let found = Found()
  try await withKnownIssue(isIntermittent: true) {
    try await Reporter.$countsKnownIssues.withValue(knownIssuesCount) { try await body() }
  } matching: { issue in
    found.add(
      Failure(
        line: issue.sourceLocation?.line ?? 0, issue.comments.map(\.rawValue).joined(separator: "\n---\n")))
    return true
  }
  return found.all
}

private final class Found: Sendable {
  private let failures = Lock<[Failure]>([])
  var all: [Failure] { failures.withLock { $0 } }
  func add(_ failure: Failure) { failures.withLock { $0.append(failure) } }
}
