// This source file is part of swift-effects. License: Apache-2.0.

/// What people draw by hand when they explain a race: one column a run, time downwards.
struct Timeline: CustomStringConvertible {
  private let columns: [String]
  /// The mark of each column in the row to come: what its run is doing.
  private var marks: [String]
  private var rows: [(event: String, marks: [String], shown: String)] = []
  /// Whether an answer to an old query was ever on the screen.
  private(set) var showedStaleResult = false

  init(columns: [String]) {
    self.columns = columns
    marks = columns.map { _ in " " }
  }

  mutating func typed(_ query: String, cancelling earlier: [String]) {
    var changes = [query: "●"]
    for query in earlier { changes[query] = "x" }
    note("type \(query)", changes, "")
    set(query, "│")
    for query in earlier { set(query, "┊") }
  }

  mutating func answered(_ query: String, wasReduced: Bool, state: Search.State) {
    var shown = wasReduced ? "shows \(state.shown?.query ?? "nothing")" : "dropped"
    if wasReduced, state.isStale {
      shown += "   <- stale: the query is \(state.query)"
      showedStaleResult = true
    }
    note("answer to \(query)", [query: wasReduced ? "◆" : "◇"], shown)
    set(query, " ")
  }

  private mutating func set(_ query: String, _ mark: String) {
    if let column = columns.firstIndex(of: query) { marks[column] = mark }
  }

  private mutating func note(_ event: String, _ changes: [String: String], _ shown: String) {
    rows.append((event, columns.indices.map { changes[columns[$0]] ?? marks[$0] }, shown))
  }

  var description: String {
    let first = (rows.map(\.event.count).max() ?? 0) + 2
    let width = (columns.map(\.count).max() ?? 0) + 2
    let head = pad("", first) + columns.map { pad($0, width) }.joined()
    let body = rows.map { row in
      trimmed(pad(row.event, first) + row.marks.map { pad($0, width) }.joined() + row.shown)
    }
    return ([trimmed(head)] + body).joined(separator: "\n")
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
