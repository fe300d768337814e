// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import live_search

struct ScreenTests {
  @Test func `Query, results and status are shown one below the other`() {
    var state = Search.State(query: "swift", phase: .searching)
    state.results.add(Findings(matches: [match(1, "swift"), match(2, "a swift")], searched: 3, matched: 1), limit: 9)
    #expect(
      rows(state, columns: 60, rows: 6) == [
        "Sources> swift", "f:1: swift", "f:2: a swift", "", "", "searching \"swift\": 2 matches in 1 of 3 files",
      ])
  }

  @Test(arguments: [
    (Search.Phase.idle, "Type to search. Esc clears, Ctrl-C quits."),
    (.searching, "searching \"s\": 0 matches in 0 of 1 files, 2 skipped (g: Permission denied)"),
    (.finished, "done: 0 matches in 0 of 1 files, 2 skipped (g: Permission denied)"),
    (.failed("Sources: No such file or directory"), "failed: Sources: No such file or directory"),
  ])
  func `The status shows what runs and its results`(phase: Search.Phase, status: String) {
    var state = Search.State(query: "s", phase: phase)
    state.results.add(Findings(searched: 1, skipped: ["f: No such file", "g: Permission denied"]), limit: 9)
    #expect(rows(state, columns: 100, rows: 3).last == status)
  }

  @Test func `Before a search has started, the status gives no numbers of it`() {
    #expect(rows(.init(query: "m", phase: .waiting), columns: 60, rows: 3).last == "waiting for the keyboard to rest")
  }

  @Test(arguments: [(3, "… 8 more"), (4, "… 7 more"), (5, "… 6 more"), (6, "… 6 more"), (7, "… 6 more")])
  func `What is not shown is counted, whether it was kept or not`(height: Int, more: String) {
    var state = Search.State(query: "s", phase: .finished)
    // Two are kept, six only counted.
    state.results.add(Findings(matches: (1...8).map { match($0, "s") }, matched: 1), limit: 2)
    let rows = rows(state, columns: 60, rows: height)
    #expect(rows.count == height)
    #expect(rows.filter { !$0.isEmpty }.dropLast().last == more)
  }

  @Test func `Long rows are cut, but the end of a long query is kept`() {
    var state = Search.State(query: "abcdefghijklmnopqrstuvwxyz")
    state.results.add(Findings(matches: [match(1, "abcdefghijklmnopqrstuvwxyz")]), limit: 9)
    #expect(rows(state, columns: 16, rows: 3) == ["Sources> uvwxyz", "f:1: abcdefghij…", "Type to search.…"])
  }

  @Test func `Control characters are shown as a dot`() {
    var state = Search.State(query: "s")
    state.results.add(Findings(matches: [match(1, "a\tb\u{1B}[2Jc\u{9B}\r")]), limit: 9)
    #expect(rows(state, columns: 40, rows: 3)[1] == "f:1: a b·[2Jc··")
  }

  @Test func `No size is too small`() {
    var state = Search.State(query: "swift", phase: .searching)
    state.results.add(Findings(matches: [match(1, "swift")]), limit: 9)
    for columns in 0...3 {
      for height in 0...3 {
        let rows = rows(state, columns: columns, rows: height)
        #expect(rows.count == max(height, 2))
        #expect(rows.allSatisfy { $0.count <= columns })
      }
    }
  }

  private func rows(_ state: Search.State, columns: Int, rows: Int) -> [String] {
    Screen(directory: "Sources", size: .init(columns: columns, rows: rows)).rows(for: state)
  }

  private func match(_ line: Int, _ text: String) -> Match {
    Match(file: "f", line: line, text: text)
  }
}
