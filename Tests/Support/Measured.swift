// This source file is part of swift-effects. License: Apache-2.0.

internal import Foundation

/// What a test has measured. An ordinary run prints nothing but what the test runner prints.
package enum Measured {
  private static let variables = [
    "EFFECTS_COMPARE_", "EFFECTS_JOURNAL_", "FUZZ_", "STRESS_", "EFFECTS_PRINT",
  ]

  /// Whether a long run was asked for, by one of its variables of the environment, or only that it prints, by
  /// `EFFECTS_PRINT=1`.
  private static let isAsked = ProcessInfo.processInfo.environment.keys.contains { name in
    variables.contains { name.hasPrefix($0) }
  }

  /// Prints a line of a long run.
  package static func print(_ text: @autoclosure () -> String) {
    if isAsked { Swift.print(text()) }
  }
}
