// This source file is part of swift-effects. License: Apache-2.0.

/// The handling of failures in a store without a handler. In debug builds it prints them: once for each line that
/// failed, and once for each pair of lines that conflict.
final class FailureLog: Sendable {
  static let shared = FailureLog()
  private let seen = Lock<Set<String>>([])

  @Sendable
  func report(_ failure: EffectFailure) {
    #if DEBUG
      guard seen.withLock({ $0.insert(failure.key).inserted }) else { return }
      Platform.writeToStandardError("\(failure)\n")
    #endif
  }
}
