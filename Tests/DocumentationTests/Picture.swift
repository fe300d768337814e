// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// Draws a trace as bars, as an SVG for a page: time goes to the right, and each run has a row.
struct Picture {
  private struct Bar { var look: String; var start: Duration; var end: Duration }
  private struct Mark { var text: String; var time: Duration; var look = "mark" }
  private struct Row {
    var name: String
    var bars: [Bar] = []
    var marks: [Mark] = []
    /// What the run does since this time, until something else happens to it.
    var open: (look: String, since: Duration)?

    mutating func change(to look: String?, at time: Duration) {
      if let open, open.since < time { bars.append(Bar(look: open.look, start: open.since, end: time)) }
      open = look.map { ($0, time) }
    }
  }

  private var rows: [Row] = []
  private var taps: [Duration] = []
  private var end: Duration
  private let title: String

  init<Action>(_ title: String, of events: [TraceEvent<Action>], until end: Duration = .zero) {
    self.title = title
    self.end = end
    for event in events {
      self.end = max(self.end, event.time)
      switch event.kind {
      case .reduced(_, .user): taps.append(event.time)
      case .reduced(_, .run(let run?)): mark("◆", run, event.time)
      case .dropped(_, .run(let run?)): mark("◇", run, event.time, look: "late")
      case .run(let run, let change): add(change, of: run, event.time)
      default: break
      }
    }
    for index in rows.indices { rows[index].change(to: nil, at: self.end) }
  }

  private mutating func mark(_ text: String, _ run: TraceRun, _ time: Duration, look: String = "mark") {
    rows[row(of: run)].marks.append(Mark(text: text, time: time, look: look))
  }

  private mutating func row(of run: TraceRun) -> Int {
    while rows.count < run.number { rows.append(Row(name: "")) }
    let index = Int(run.number) - 1
    if rows[index].name.isEmpty, let input = run.description.input { rows[index].name = "\(input)" }
    return index
  }

  private mutating func add(_ event: TraceRun.Event, of run: TraceRun, _ time: Duration) {
    let index = row(of: run)
    switch event {
    case .registered(.starting), .sleeping: break
    case .registered: rows[index].change(to: "wait", at: time)
    case .joined: mark("+", run, time)
    case .started: rows[index].change(to: "run", at: time)
    case .attemptFailed:
      mark("✕", run, time)
      rows[index].change(to: "wait", at: time)
    case .ended(.cancelled):
      mark("✕", run, time)
      rows[index].change(to: rows[index].open?.look == "run" ? "late" : nil, at: time)
    case .ended(.dropped):
      mark("○", run, time)
      rows[index].change(to: nil, at: time)
    case .ended, .returned: rows[index].change(to: nil, at: time)
    }
  }

  // MARK: - Drawing

  private static let (left, width, height) = (56.0, 300.0, 20.0)

  private func x(_ time: Duration) -> String {
    let share = end > .zero ? time / end : 0
    return "\(((Self.left + 8 + share * (Self.width - 24)) * 10).rounded() / 10)"
  }

  /// The lines of the file. It follows the colours of the reader's system.
  var svg: String {
    let bottom = Int(Self.height) * (rows.count + 1) + 6
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\" height=\"\(bottom)\" viewBox=\"0 0 360 \(bottom)\" role=\"img\">",
      "<title>\(title)</title>",
      "<style>",
      ".paper { fill: #fff; } text { font: 12px system-ui, sans-serif; fill: #222; } .mark { text-anchor: middle; } .run { fill: #9ec9b4; }",
      ".wait, .late, .tap { fill: none; stroke: #777; stroke-width: 1.5; } .wait { stroke-dasharray: 2 3; }",
      ".late { stroke: #b3261e; } text.late { text-anchor: middle; fill: #b3261e; stroke: none; } .tap { stroke-width: 1; }",
      "@media (prefers-color-scheme: dark) { .paper { fill: #1c1c1e; } text { fill: #e6e6e6; } .run { fill: #2f6b50; }",
      ".wait, .tap { stroke: #aaa; } .late { stroke: #ff8a80; } text.late { fill: #ff8a80; } }",
      "</style>",
      // A site may have other colours than the system.
      "<rect class=\"paper\" width=\"360\" height=\"\(bottom)\" rx=\"6\"/>",
    ]
    for tap in taps {
      lines.append("<path class=\"tap\" d=\"M\(x(tap)) 4V\(bottom - 4)\" stroke-opacity=\"0.5\"/>")
    }
    for (number, row) in rows.enumerated() {
      let middle = Int(Self.height) * (number + 1)
      lines.append("<text x=\"4\" y=\"\(middle + 4)\">\(row.name)</text>")
      for bar in row.bars {
        lines.append(
          bar.look == "run"
            ? "<path class=\"run\" d=\"M\(x(bar.start)) \(middle - 6)H\(x(bar.end))V\(middle + 6)H\(x(bar.start))Z\"/>"
            : "<path class=\"\(bar.look)\" d=\"M\(x(bar.start)) \(middle)H\(x(bar.end))\"/>")
      }
      for mark in row.marks {
        lines.append("<text class=\"\(mark.look)\" x=\"\(x(mark.time))\" y=\"\(middle + 4)\">\(mark.text)</text>")
      }
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }
}
