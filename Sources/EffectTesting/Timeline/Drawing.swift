// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Draws a model as lines of text.
struct Drawing {
  private static let widestColumn = 12

  private let model: TimelineModel
  private let changes: [UInt64: StateDifference]
  private let width: Int
  /// Whether each mark has one byte.
  private let isPlain: Bool
  private let choice: TimelineModel.Choice
  private let clock: ClockText
  private let labels: [[String]]
  private let column: Int

  init(
    _ model: TimelineModel, changes: [UInt64: StateDifference] = [:], width: Int, rows: Int = 300, isPlain: Bool = false
  ) {
    self.model = model
    self.changes = changes
    self.width = max(width, 30)
    self.isPlain = isPlain
    let words = max(16, self.width * 2 / 5)
    let narrowest = max(3, "\(model.runs.map(\.number).max() ?? 0)".count + 1)
    choice = model.choice(runs: max(1, (self.width - 9 - words) / narrowest), rows: max(4, rows))
    clock = ClockText(choice.rows.map(\.time))
    let count = max(1, choice.runs.count)
    let room = max(narrowest, (self.width - clock.width - 2 - words) / count)
    let runs = choice.runs.map { model.runs[$0] }
    let labels = Self.labels(of: runs, ids: runs.map(\.id))
    let wanted = (labels.joined().map(\.columns).max() ?? 0) + 2
    column = min(max(wanted, narrowest), room, Self.widestColumn)
    // If there is little room, ids lose their scopes; if there is less, only numbers are shown.
    if wanted <= column + 1 {
      self.labels = labels
    } else if column >= 5 {
      self.labels = Self.labels(of: runs, ids: runs.map(\.innermostID))
    } else {
      self.labels = Array(labels.prefix(1))
    }
  }

  /// Heading lines: the numbers; the ids, if there are several; the inputs, if there are any.
  private static func labels(of runs: [TimelineModel.Run], ids: [String?]) -> [[String]] {
    var labels = [runs.map { "\($0.number)" }]
    if Set(runs.map(\.id)).count > 1 { labels.append(ids.map { $0 ?? "" }) }
    if runs.contains(where: { $0.input != nil }) { labels.append(runs.map { $0.input ?? "" }) }
    return labels
  }

  // MARK: - Lines

  /// How many rows are drawn.
  var rowCount: Int { choice.rows.count }

  /// The whole drawing, without a line break at the end.
  var text: String {
    guard !choice.rows.isEmpty || model.firstNumber > 1 else { return "Nothing has happened." }
    var used: Set<TimelineModel.Mark> = []
    let body = body(&used)
    var lines = model.remarks(on: choice).flatMap { $0.wrapped(width, lines: 20) }
    if !lines.isEmpty, !body.isEmpty { lines.append("") }
    lines += headings + body
    if let remains = model.remains { lines += [""] + remains.wrapped(width, lines: 3) }
    if !choice.runs.isEmpty { lines += [""] + choice.runs.flatMap { name(of: model.runs[$0]) } }
    let legend = legend(used)
    if !legend.isEmpty { lines += [""] + legend }
    return lines.map(\.trimmed).joined(separator: "\n")
  }

  private var headings: [String] {
    guard !choice.runs.isEmpty else { return [] }
    return labels.enumerated().map { line, labels in
      (line == 0 ? "seconds" : "").aligned(clock.width) + "  "
        + labels.map { $0.fitted(column - 1).padded(column) }.joined()
    }
  }

  private func body(_ used: inout Set<TimelineModel.Mark>) -> [String] {
    var lines: [String] = []
    var cursors = Array(repeating: 0, count: choice.runs.count)
    var shown = ""
    let words = width - clock.width - 2 - choice.runs.count * column
    for (place, row) in choice.rows.enumerated() {
      if let gap = choice.gap, gap.place == place {
        lines.append(
          (isPlain ? ":" : "⋮").aligned(clock.width)
            + "  \(gap.count) rows from \(clock.text(gap.from)) to \(clock.text(gap.to))")
        lines[lines.count - 1] += " are left out"
      }
      let time = clock.text(row.time)
      let passing = passing(row, &cursors)
      let changed = row.told.flatMap { changes[model.events[$0].number]?.lines ?? [] }
      let texts =
        row.told.map(model.words).joined(separator: ", ").wrapped(words, lines: 3)
        + changed.map { "  \($0)".fitted(words) }
      for (line, text) in texts.enumerated() {
        let marks = line > 0 ? passing : choice.runs.indices.map { row.marks[choice.runs[$0]] ?? passing[$0] }
        used.formUnion(marks.compactMap { $0 })
        let cells = marks.map { mark in (mark.map { String(character($0)) } ?? "").padded(column) }.joined()
        let clock = (line > 0 || time == shown ? "" : time).aligned(clock.width)
        lines.append("\(clock)  \(cells)\(text)")
      }
      shown = time
    }
    return lines
  }

  /// The mark of each column for the phase of its run. It is drawn where the row has no event of the run.
  private func passing(_ row: TimelineModel.Row, _ cursors: inout [Int]) -> [TimelineModel.Mark?] {
    choice.runs.indices.map { place in
      model.runs[choice.runs[place]].phase(at: row.last, &cursors[place])?.mark(at: row.time)
    }
  }

  /// Number, description and source line of a run; on several lines if it is too long for one.
  private func name(of run: TimelineModel.Run) -> [String] {
    let number = "\(run.number)".padded(choice.runs.last.map { "\(model.runs[$0].number)".count } ?? 1)
    let whole = "\(number)  \(run.title) at \(run.site)"
    if whole.columns <= width { return [whole] }
    let indent = String(repeating: " ", count: number.count + 2)
    let lines = run.title.wrapped(width - indent.count, lines: 3) + ["at \(run.site)".fitted(width - indent.count)]
    return lines.enumerated().map { $0 == 0 ? "\(number)  \($1)" : indent + $1 }
  }

  private func character(_ mark: TimelineModel.Mark) -> Character { isPlain ? mark.oneByte : mark.rawValue }

  private func legend(_ used: Set<TimelineModel.Mark>) -> [String] {
    var entries = TimelineModel.Mark.allCases.filter(used.contains).map { "\(character($0)) \($0.meaning)" }
    let stops = choice.runs.contains { model.runs[$0].outcome?.isFinished ?? false }
    if used.contains(.reduced), stops { entries.append("where a line stops, the run has ended") }
    var lines: [String] = []
    for entry in entries {
      if let line = lines.last, line.columns + 3 + entry.columns <= width {
        lines[lines.count - 1] = "\(line)   \(entry)"
      } else {
        lines.append(entry.fitted(width))
      }
    }
    return lines
  }
}

/// Writes times in seconds with three decimals, or with six if all events are close together.
private struct ClockText {
  private let isFine: Bool
  private(set) var width = 7

  init(_ times: [Duration]) {
    let first = times.first ?? .zero
    let last = times.last ?? .zero
    isFine = last - first < .milliseconds(20) && times.contains { $0.nanoseconds % 1_000_000 != 0 }
    width = max(7, text(last).count)
  }

  func text(_ time: Duration) -> String {
    let micro = time.nanoseconds / 1_000
    let (unit, digits): (Int128, Int) = isFine ? (1_000_000, 6) : (1_000, 3)
    let count = isFine ? micro : micro / 1_000
    let fraction = "\(count % unit)"
    return "\(count / unit).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }
}

extension String {
  fileprivate func aligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }

  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
