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
  ])
  func `At most one directory is taken`(arguments: [String], command: LiveSearch.Command) throws {
    #expect(try LiveSearch.parse(arguments) == command)
  }

  @Test(arguments: [
    (["a", "b"], "one directory at most, not 2"), (["-x"], "unknown option -x"),
    (["--help-me"], "unknown option --help-me"),
  ])
  func `What is not understood is refused by name`(arguments: [String], message: String) {
    let error = #expect(throws: LiveSearch.UsageError.self) { try LiveSearch.parse(arguments) }
    #expect(error?.description == message)
  }
}
