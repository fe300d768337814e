// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import live_search

struct CommandLineTests {
  @Test(arguments: [
    ([], LiveSearch.Command.search(directory: ".")),
    (["Sources"], .search(directory: "Sources")),
    (["Sources/"], .search(directory: "Sources/")),
    (["--help"], .help),
    (["Sources", "-h"], .help),
    (["--record", "a", "Sources"], .search(directory: "Sources", recording: "a")),
    (["Sources", "--record", "a"], .search(directory: "Sources", recording: "a")),
    (["--record", "a"], .search(directory: ".", recording: "a")),
    (["--test", "a"], .test("a")),
    (["--test", "a", "--help"], .help),
  ])
  func `At most one directory is taken, and one file`(arguments: [String], command: LiveSearch.Command) throws {
    #expect(try LiveSearch.parse(arguments) == command)
  }

  @Test(arguments: [
    (["a", "b"], "one directory at most, not 2"), (["-x"], "unknown option -x"),
    (["--help-me"], "unknown option --help-me"),
    (["--record"], "--record needs a file"),
    (["--test", "--record"], "--test needs a file"),
    (["--record", "a", "--record", "b"], "--record and --record do not go together"),
    (["--record", "a", "--test", "b"], "--record and --test do not go together"),
    (["--test", "a", "b"], "--test takes no directory"),
    (["--record", "a", "b", "c"], "one directory at most, not 2"),
  ])
  func `What is not understood is refused by name`(arguments: [String], message: String) {
    let error = #expect(throws: LiveSearch.UsageError.self) { try LiveSearch.parse(arguments) }
    #expect(error?.description == message)
  }
}
