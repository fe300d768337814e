// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Inspected {
  func rows(in positions: Range<Int>, limit: Int, scan: Int, filter: RowFilter) -> RowPage {
    let history = recorder.history
    var position = min(max(0, positions.upperBound), history.count + 1)
    let least = max(positions.lowerBound, history.oldest + 1)
    var rows: [Row] = []
    var bytes = 0
    while position - 1 >= least, rows.count < limit, bytes < scan {
      position -= 1
      guard let (row, length) = history.described(at: position) else { continue }
      bytes += length
      if filter.shows(row) { rows.append(row) }
    }
    return RowPage(rows: rows, searched: max(history.oldest, position - 1))
  }

  func moment(at position: Int) throws -> Moment {
    let history = recorder.history
    let (before, after) = try states(at: position, in: history)
    var encoded: String?
    if let entry = history.entry(at: position) {
      encoded = (try? codec.encodeAction(entry.action)).flatMap { String(validating: $0, as: UTF8.self) }
    }
    return Moment(
      position: position, row: history.described(at: position)?.row,
      difference: StateDifference(from: before, to: after).lines,
      state: StateText.of(after), encoded: encoded)
  }

  func events(in positions: Range<Int>) -> [String] {
    let history = recorder.history
    var events: [String] = []
    for position in positions.clamped(to: history.oldest..<history.count + 1) {
      guard let entry = history.entry(at: position), events.count < 2_000 else { continue }
      events.append(entry.json)
      events += history.others(after: position).map(\.json)
    }
    return events
  }
}

extension History {
  /// The row of the action at a position, and how many bytes its whole description has.
  func described(at position: Int) -> (row: Row, bytes: Int)? {
    guard let entry = entry(at: position) else { return nil }
    let kind =
      switch entry.source {
      case .user: entry.source.isByHand ? "hand" : "user"
      case .run: "run"
      case .followUp: "followUp"
      }
    let action = "\(entry.action)"
    let notes = others(after: position).prefix(50).map { "\($0.kind)" }
    let row = Row(
      position: position, number: entry.number, time: entry.time / .milliseconds(1), action: action.shortened,
      kind: kind,
      source: entry.source.text, notes: notes.map(\.shortened))
    return (row, notes.reduce(100 + action.utf8.count) { $0 + $1.utf8.count })
  }

  /// The other events between the action at a position and the next action.
  func others(after position: Int) -> ArraySlice<TraceEvent<Action>> {
    guard let index = index(ofActionAt: position), let entry = entry(at: position) else { return [] }
    let next = self.entry(at: position + 1)?.number ?? .max
    var others = events(between: entry.number, and: next, in: chunks[index].others)
    // What follows the last action before a checkpoint is kept behind the checkpoint.
    if chunks.indices.contains(index + 1) {
      others += events(between: entry.number, and: next, in: chunks[index + 1].others)
    }
    return others
  }

  private func events(
    between first: UInt64, and last: UInt64, in events: [TraceEvent<Action>]
  ) -> ArraySlice<TraceEvent<Action>> {
    var (low, high) = (events.startIndex, events.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].number > first { high = middle } else { low = middle + 1 }
    }
    return events[low...].prefix { $0.number < last }
  }
}

/// The text of a whole state.
private enum StateText {
  static func of(_ state: some Any) -> String {
    var text = ""
    dump(state, to: &text, maxDepth: 20, maxItems: 2_000)
    return text.utf8.count <= 200_000
      ? text : "\(String(text.unicodeScalars.prefix(200_000)))\n… (the rest is left out)"
  }
}
