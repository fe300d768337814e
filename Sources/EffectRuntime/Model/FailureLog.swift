// This source file is part of swift-effects. License: Apache-2.0.

/// Handles the failures of all stores without a handler. In debug builds it prints them to standard error: once for
/// each ``EffectFailure/key``, and so for each kind of failure of a line, each pair of lines that conflict, and each
/// text about an assignment. In release builds it does nothing.
///
/// - Isolation: usable from any thread.
final class FailureLog: Sendable {
  /// The only one of the process.
  static let shared = FailureLog()
  private let seen = Lock<Set<String>>([])

  /// Prints a failure, unless one with an equal key was printed before.
  @Sendable
  func report(_ failure: EffectFailure) {
    #if DEBUG
      guard seen.withLock({ $0.insert(failure.key).inserted }) else { return }
      Platform.writeToStandardError("\(failure)\n")
    #endif
  }
}
