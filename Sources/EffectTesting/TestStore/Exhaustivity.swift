// This source file is part of swift-effects. License: Apache-2.0.

/// How much a test of a ``TestStore`` must prove.
public enum Exhaustivity: Equatable, Sendable {
  /// Everything: each change of the state, each received action, and that nothing is in flight at the end.
  case on
  /// Only what the test says. The closure of a step is given the state *after* the step and passes if it changes
  /// nothing, so it sets whole values: `$0.count = 2`, not `$0.count += 1`. Actions before the one that is received, or
  /// before another step, are reduced and not reported; what is in flight at the end is cancelled.
  ///
  /// With `showSkipped`, what was not proved is shown without failing the test: as a warning of Swift Testing, and on
  /// standard error with XCTest. Uncaught errors, turns and runs without end, and runs that ignore their cancellation
  /// are still failures.
  case off(showSkipped: Bool)

  /// Only what the test says. What was not proved is not shown.
  public static let off = Exhaustivity.off(showSkipped: false)

  @usableFromInline
  var isOn: Bool { self == .on }
  var showsSkipped: Bool { self == .off(showSkipped: true) }
}

extension TestStore {
  /// Takes the steps of a closure with another ``exhaustivity``, and sets the former one again.
  ///
  /// ```swift
  /// await store.withExhaustivity(.off) {
  ///   store.send(.logIn("ann"))
  ///   await store.receive(Action.loggedIn)
  /// }
  /// ```
  ///
  /// What arrives in the closure and is not received in it must be received behind it, if the former one demands that.
  ///
  /// - Parameters:
  ///   - exhaustivity: how much the steps of the closure must prove.
  ///   - body: takes steps.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  /// - Isolation: the caller's.
  public nonisolated(nonsending) func withExhaustivity<Value>(
    _ exhaustivity: Exhaustivity, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let former = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = former }
    return try await body()
  }
}
