// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation

enum FailOnPurpose {
  /// Set by the test that runs these suites in a child process.
  static let isAsked = ProcessInfo.processInfo.environment["EFFECTS_FAIL_ON_PURPOSE"] == "1"

  /// The file of the recording of a suite that is killed while it records.
  static let recordsTo = ProcessInfo.processInfo.environment["EFFECTS_RECORD_TO"]

  /// Adds up the actions that it is sent, but -1 starts a run that sends an action, and -2 a run that sleeps.
  static var counter: Reduce<Int, Int> {
    Reduce { state, action in
      if action == -1 {
        return .run(name: "sender", fileID: "App/Feature.swift", line: 12) { send in send(1) }
      }
      if action == -2 {
        return .run(name: "sleeper", fileID: "App/Feature.swift", line: 12) { send in
          try await send.sleep(for: .seconds(1))
        }
      }
      state += action
      return .none
    }
  }
}
