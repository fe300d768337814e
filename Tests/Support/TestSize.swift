// This source file is part of swift-effects. License: Apache-2.0.

internal import Foundation

/// How much the longest tests try. They compare many random or all small features with a model, an oracle or a real store.
package enum TestSize {
  /// Whether `EFFECTS_LONG_TESTS=1` asks for all of it, as the gate does. Otherwise these tests try a part, also where a search for
  /// missing tests runs them. The manifest leaves out the longest of them.
  package static let isLong = ProcessInfo.processInfo.environment["EFFECTS_LONG_TESTS"] == "1"

  /// The number of cases of a long run, or the one of a short run.
  package static func of(_ long: Int, short: Int) -> Int { isLong ? long : short }
}
