// This source file is part of swift-effects. License: Apache-2.0.

/// What the screen shows, as a function of the state and of the size of the screen.
struct Screen {
  var directory: String
  var size: Terminal.Size

  /// The rows of the screen from top to bottom, each cut to its width: query, results, status.
  func rows(for state: Search.State) -> [String] {
    let room = max(0, size.rows - 2)
    let results = state.results
    var rows = results.matches.prefix(room).map { cut("\($0)") }
    if results.count > rows.count, room > 0 {
      if rows.count == room { rows.removeLast() }
      rows.append(cut("… \(results.count - rows.count) more"))
    }
    let empty = Array(repeating: "", count: room - rows.count)
    return [queryRow(state.query)] + rows + empty + [cut(status(of: state))]
  }

  /// The same as one text for a terminal. The cursor ends up after the query.
  func frame(for state: Search.State) -> String {
    let rows = rows(for: state)
    // Each row is cleared before it is written: afterwards, the cursor could still be on its last letter.
    let drawn = rows.enumerated().map { index, row in "\u{1B}[\(index + 1);1H\u{1B}[K\(row)" }
    // The query is written again, last, because only the terminal determines how far a text moves its cursor.
    return "\u{1B}[?25l" + drawn.joined() + "\u{1B}[1;1H\(rows[0])\u{1B}[?25h"
  }

  /// What runs, and its results.
  private func status(of state: Search.State) -> String {
    let results = state.results
    let matches = results.count == 1 ? "1 match" : "\(results.count) matches"
    let numbers = "\(matches) in \(results.matched) of \(results.searched) files"
    let skipped = results.lastSkipped.map { ", \(results.skipped) skipped (\($0))" } ?? ""
    return switch state.phase {
    case .idle: "Type to search. Esc clears, Ctrl-C quits."
    case .waiting: "waiting for the keyboard to rest"
    case .searching: "searching \"\(state.query)\": \(numbers)\(skipped)"
    case .finished: "done: \(numbers)\(skipped)"
    case .failed(let message): "failed: \(message)"
    }
  }

  /// If a query is too long, its end is shown, because the user types there. One column is left for the cursor.
  private func queryRow(_ query: String) -> String {
    let label = cut("\(directory)> ")
    return label + printable(query).suffix(max(0, size.columns - label.count - 1))
  }

  private func cut(_ text: String) -> String {
    let text = printable(text.prefix(size.columns + 1))
    guard text.count > size.columns else { return text }
    return size.columns > 0 ? text.prefix(size.columns - 1) + "…" : ""
  }

  /// The text with a sign in place of each control character, which the terminal would execute and not show.
  private func printable(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isCommand = scalar.properties.generalCategory == .control
      result.unicodeScalars.append(isCommand ? (scalar == "\t" ? " " : "·") : scalar)
    }
    return result
  }
}
