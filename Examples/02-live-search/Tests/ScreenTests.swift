// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import live_search

struct ScreenTests {
  @Test func `Query, results and status are shown one below the other`() {
    var state = Search.State(query: "swift", phase: .searching)
    state.results.add(Findings(matches: [match(1, "swift"), match(2, "a swift")], searched: 3, matched: 1), limit: 9)
    #expect(
      rows(state, columns: 60, rows: 6) == [
        "Sources> swift", "f:1: swift", "f:2: a swift", "", "searching \"swift\": 2 matches in 1 of 3 files",
        "↑ ↓ scroll, Esc clears, Ctrl-C quits",
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

  @Test(arguments: [(3, "… 8 more"), (4, "… 8 more"), (5, "… 7 more"), (6, "… 6 more"), (7, "… 6 more")])
  func `What is not shown is counted, whether it was kept or not`(height: Int, more: String) {
    var state = Search.State(query: "s", phase: .finished)
    // Two are kept, six only counted.
    state.results.add(Findings(matches: (1...8).map { match($0, "s") }, matched: 1), limit: 2)
    let rows = rows(state, columns: 60, rows: height)
    #expect(rows.count == height)
    // Below it are the status and, if there is room, the help.
    #expect(rows.filter { !$0.isEmpty }.dropLast(height < 4 ? 1 : 2).last == more)
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

  @Test func `The list scrolls to its last match and not further`() {
    var state = Search.State(query: "s", phase: .finished)
    state.results.add(Findings(matches: (1...10).map { match($0, "s") }, matched: 1), limit: 99)
    var screen = Screen(directory: "Sources", size: .init(columns: 70, rows: 7))
    var seen: [[String]] = []
    for step in [0, 2, screen.page, 100, -1, -100] {
      screen.offset = screen.scrolled(by: step, in: state)
      seen.append(Array(screen.rows(for: state)[1...4]) + [screen.rows(for: state)[6]])
    }
    let help = "↑ ↓ scroll, Esc clears, Ctrl-C quits"
    #expect(
      seen == [
        ["f:1: s", "f:2: s", "f:3: s", "… 7 more", help],
        ["f:3: s", "f:4: s", "f:5: s", "… 5 more", "2 above. \(help)"],
        ["f:5: s", "f:6: s", "f:7: s", "… 3 more", "4 above. \(help)"],
        ["f:7: s", "f:8: s", "f:9: s", "f:10: s", "6 above. \(help)"],
        ["f:6: s", "f:7: s", "f:8: s", "… 2 more", "5 above. \(help)"],
        ["f:1: s", "f:2: s", "f:3: s", "… 7 more", help],
      ])
  }

  @Test func `Matches that are only counted cannot be scrolled to`() {
    var state = Search.State(query: "s", phase: .finished)
    state.results.add(Findings(matches: (1...10).map { match($0, "s") }, matched: 1), limit: 6)
    var screen = Screen(directory: "Sources", size: .init(columns: 70, rows: 7))
    screen.offset = screen.scrolled(by: 100, in: state)
    #expect(Array(screen.rows(for: state)[1...4]) == ["f:4: s", "f:5: s", "f:6: s", "… 4 more"])
  }

  @Test func `What the effects have done is behind the status`() {
    var screen = Screen(directory: "Sources", size: .init(columns: 99, rows: 4))
    screen.effects = EffectCounts(started: 6, replaced: 5, dropped: 3)
    let rows = screen.rows(for: .init(query: "s", phase: .waiting))
    #expect(rows[2] == "waiting for the keyboard to rest  |  6 started, 5 replaced, 3 dropped")
  }

  @Test(arguments: [
    ("swift", "a Swift, swift", "a <Swift>, <swift>"), ("Swift", "a Swift, swift", "a <Swift>, swift"),
    ("ss", "sss", "<ss>s"), ("é", "É é", "É <é>"), ("f", "f f", "<f> <f>"), ("", "a", "a"),
  ])
  func `Each match is marked, and nothing in the name of the file`(query: String, text: String, marked: String) {
    var state = Search.State(query: query)
    state.results.add(Findings(matches: [match(1, text)]), limit: 9)
    var screen = Screen(directory: "Sources", size: .init(columns: 60, rows: 4))
    screen.style = Style(match: "<", help: "", failure: "")
    let frame = screen.frame(for: state).replacing(Style.plain, with: ">")
    #expect(frame.contains("\u{1B}[Kf:1: \(marked)\u{1B}"), "\(frame)")
  }

  @Test func `NO_COLOR turns off all colours, if it is not empty`() {
    #expect(Style.of { $0 == "NO_COLOR" ? "1" : nil } == .noColours)
    #expect(Style.of { $0 == "NO_COLOR" ? "" : nil } == .colours)
    #expect(Style.of { _ in nil } == .colours)
    #expect(Style.of { $0 == "TERM" ? "dumb" : nil } == .noColours)
    for text in [Style.noColours.match, Style.noColours.help, Style.noColours.failure] {
      // 30 to 37, 90 to 97 and 38 are colours of a text; 40 and above are those of its ground.
      #expect(!text.contains("[3") && !text.contains(";3") && !text.contains("[4") && !text.contains("[9"))
    }
  }

  private func rows(_ state: Search.State, columns: Int, rows: Int) -> [String] {
    Screen(directory: "Sources", size: .init(columns: columns, rows: rows)).rows(for: state)
  }

  private func match(_ line: Int, _ text: String) -> Match {
    Match(file: "f", line: line, text: text)
  }
}
