// This source file is part of swift-effects. License: Apache-2.0.

/// What the screen shows, as a function of the state, of the size of the screen, and of what is scrolled.
struct Screen {
  var directory: String
  var size: Terminal.Size
  /// How many matches are above the first one that is shown.
  var offset = 0
  var effects = EffectCounts()
  var style = Style.noColours

  private static let help = "↑ ↓ scroll, Esc clears, Ctrl-C quits"

  /// The rows of the screen from top to bottom, each cut to its width: query, results, status, help.
  func rows(for state: Search.State) -> [String] {
    let shown = shown(of: state)
    let rows = shown.matches.map { cut("\($0)") } + (shown.more > 0 ? [cut("… \(shown.more) more")] : [])
    let empty = Array(repeating: "", count: max(0, room - rows.count))
    return [queryRow(state.query)] + rows + empty + [cut(status(of: state))] + (hasHelp ? [cut(help(for: state))] : [])
  }

  /// The same as one text for a terminal. The cursor ends up after the query.
  func frame(for state: Search.State) -> String {
    var rows = rows(for: state)
    for (index, match) in shown(of: state).matches.enumerated() {
      // Only in the text: a name of a file that contains the query is no match.
      let start = "\(match.file):\(match.line): ".unicodeScalars.count
      rows[index + 1] = Needle.marked(rows[index + 1], query: state.query, from: start, style.match, Style.plain)
    }
    if case .failed = state.phase { rows[room + 1] = "\(style.failure)\(rows[room + 1])\(Style.plain)" }
    if hasHelp { rows[room + 2] = "\(style.help)\(rows[room + 2])\(Style.plain)" }
    // Each row is cleared before it is written: afterwards, the cursor could still be on its last letter.
    let drawn = rows.enumerated().map { index, row in "\u{1B}[\(index + 1);1H\u{1B}[K\(row)" }
    // The query is written again, last, because only the terminal determines how far a text moves its cursor.
    return "\u{1B}[?25l" + drawn.joined() + "\u{1B}[1;1H\(rows[0])\u{1B}[?25h"
  }

  // MARK: - Scrolling

  /// A small screen has no help line.
  private var hasHelp: Bool { size.rows >= 4 }

  /// How many rows there are for results.
  private var room: Int { max(0, size.rows - (hasHelp ? 3 : 2)) }

  private func shown(of state: Search.State) -> (matches: ArraySlice<Match>, more: Int) {
    let below = state.results.matches.dropFirst(scrolled(by: 0, in: state))
    let hidden = state.results.count - (state.results.matches.count - below.count)
    guard room > 0, hidden > min(room, below.count) else { return (below.prefix(room), 0) }
    let matches = below.prefix(room - 1)
    return (matches, hidden - matches.count)
  }

  /// The offset after scrolling down by a number of rows, or up if it is negative. The last matches fill the screen.
  func scrolled(by rows: Int, in state: Search.State) -> Int {
    let matches = state.results.matches.count
    let isCounted = state.results.count > matches
    return max(0, min(offset + rows, matches - max(1, isCounted ? room - 1 : room)))
  }

  /// How far the keys for a page scroll: one row stays visible.
  var page: Int { max(1, room - 2) }

  // MARK: - Rows

  /// What runs and its results, and what became of the searches so far.
  private func status(of state: Search.State) -> String {
    let results = state.results
    let matches = results.count == 1 ? "1 match" : "\(results.count) matches"
    let numbers = "\(matches) in \(results.matched) of \(results.searched) files"
    let skipped = results.lastSkipped.map { ", \(results.skipped) skipped (\($0))" } ?? ""
    let phase =
      switch state.phase {
      case .idle: hasHelp ? "Type to search." : "Type to search. Esc clears, Ctrl-C quits."
      case .waiting: "waiting for the keyboard to rest"
      case .searching: "searching \"\(state.query)\": \(numbers)\(skipped)"
      case .finished: "done: \(numbers)\(skipped)"
      case .failed(let message): "failed: \(message)"
      }
    return effects.text.isEmpty ? phase : "\(phase)  |  \(effects.text)"
  }

  private func help(for state: Search.State) -> String {
    let above = scrolled(by: 0, in: state)
    return above > 0 ? "\(above) above. \(Self.help)" : Self.help
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
