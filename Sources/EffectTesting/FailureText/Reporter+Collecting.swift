// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Returns the failures that a body reports, instead of failing the test.
///
/// For a test that shows a bug: it proves that a naive version fails, and how. Compare the result. Otherwise nothing is tested.
///
/// ```swift
/// let failures = await reportedFailures {
///   await explore(initialState: .init(), reducer: NaiveSearch()) { script in
///     script.send(.queryChanged("s"))
///     script.send(.queryChanged("swift"))
///   } always: { $0.isConsistent }
/// }
/// #expect(failures.count == 1)
/// ```
///
/// It works under Swift Testing and XCTest, and prints none of these failures. Test stores, explorations and mocks count
/// them as failures: what follows from one is not reported again. Failures of the test library itself (`#expect`,
/// `XCTAssert`) are not in the result and fail the test as usual. The same applies to failures that a detached task of the
/// body reports: it does not inherit the task-local value that this function sets. Other tasks do.
///
/// Calls may be nested: a failure belongs to the innermost call. A failure that is reported after the body has returned,
/// by a task that the body has started, is not in the result.
///
/// - Parameters:
///   - isolation: the caller's isolation, on which the body is called; filled in by the compiler.
///   - body: the steps that fail. Called once.
/// - Returns: the texts, in the order in which they were reported; empty if nothing failed.
/// - Throws: what the body throws.
public func reportedFailures(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [String] {
  let collected = CollectedFailures()
  let diversion = Reporter.Diversion { text, _ in collected.add(text) }
  try await Reporter.$diversion.withValue(diversion, operation: body)
  return collected.texts
}

/// The failures of one call of ``reportedFailures(isolation:_:)``. Any task may add one.
private final class CollectedFailures: Sendable {
  private let found = Lock<[String]>([])

  var texts: [String] { found.withLock { $0 } }

  /// Adds a failure. Returns `true`: it counts as a failure.
  func add(_ text: String) -> Bool {
    found.withLock { $0.append(text) }
    return true
  }
}
