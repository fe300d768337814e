// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension FailureText {
  /// The heading between a failure and the drawing of the test so far.
  static let timelineHeading = "What has happened so far:"

  /// The test so far, as a drawing. Empty if no run was ever requested: a drawing would make nothing clearer then.
  static func timeline(_ events: [TraceEvent<any Sendable>]) -> String {
    let hasRuns = events.contains { if case .run = $0.kind { true } else { false } }
    guard hasRuns else { return "" }
    return "\n\n\(timelineHeading)\n\n\(Timeline.text(events, rows: 40))"
  }
}
