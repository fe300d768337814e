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

/// The failures that a body reports, in order, word for word, instead of failing the test. The caller must compare the
/// result, or nothing is tested.
///
/// The test stores count them as failures, unless `knownIssuesCount` is false: then they are like known issues of the
/// test library, which are no failures.
func failures(
  knownIssuesCount: Bool = true, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [Failure] {
  let found = Found()
  let diversion = Reporter.Diversion { text, location in
    found.add(Failure(line: Int(location.line), text))
    return knownIssuesCount
  }
  try await Reporter.$diversion.withValue(diversion, operation: body)
  return found.all
}

/// What a body reports is like a known issue of the test library: it is no failure, and is not printed.
///
/// - Parameter matching: which texts these are. All others are reported as usual.
func knownIssue(
  isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void,
  matching: @escaping @Sendable (String) -> Bool = { _ in true }
) async {
  let outer = Reporter.diversion
  let diversion = Reporter.Diversion { text, location in
    if matching(text) { return false }
    return outer?.take(text, location) ?? true
  }
  await Reporter.$diversion.withValue(diversion, operation: body)
}

private final class Found: Sendable {
  private let failures = Lock<[Failure]>([])
  var all: [Failure] { failures.withLock { $0 } }
  func add(_ failure: Failure) { failures.withLock { $0.append(failure) } }
}
