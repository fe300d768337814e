// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension FailureText {
  /// The heading between a failure and the drawing of the test so far.
  static let timelineHeading = "What has happened so far:"

  /// The test so far, as a drawing. Empty if no run was ever requested. Also empty if the drawing would have fewer rows than
  /// `least`, because such a drawing does not help.
  static func timeline(_ events: [TraceEvent<any Sendable>], fromRows least: Int = 1) -> String {
    let hasRuns = events.contains { if case .run = $0.kind { true } else { false } }
    guard hasRuns else { return "" }
    let model = TimelineModel(events)
    let drawing = Drawing(model, width: 80, rows: 40)
    guard drawing.rowCount >= least else { return "" }
    var text = drawing.text
    if isLong(text) { text = Drawing(model, width: 80, rows: 40, isPlain: true).text }
    return "\n\n\(timelineHeading)\n\n\(text)"
  }

  /// Whether a drawing must have marks of one byte, so that `swift test` shows it.
  ///
  /// SwiftPM reads the output of tests in parts of 4,096 bytes. Up to Swift 6.3 it shows nothing of a part that begins or ends
  /// inside a character, and each row of a long drawing has several marks.
  static func isLong(_ drawing: String) -> Bool { drawing.utf8.count > 2_000 }
}
