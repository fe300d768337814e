// This source file is part of swift-effects. License: Apache-2.0.

// Elsewhere the first argument of a test process is not the bundle of tests.
#if os(Linux)
  import Dispatch
  import Foundation

  /// The bundle of tests, run once more in a process of its own, with the suites that fail on purpose.
  struct TestChild {
    let status: Int32
    /// What it printed, without indentation.
    let lines: [String]

    /// Runs it with arguments, behind a command in front of it where one is given.
    init(_ arguments: [String], behind command: [String] = [], environment: [String: String] = [:]) async throws {
      let process = Process()
      let words = command + [CommandLine.arguments[0]] + arguments
      process.executableURL = URL(fileURLWithPath: words[0])
      process.arguments = Array(words.dropFirst())
      // Whatever terminal the tests run in, text and not colours.
      let settings = ["EFFECTS_FAIL_ON_PURPOSE": "1", "NO_COLOR": "1", "TERM": "dumb"]
      // Hashes are seeded anew in each process, as they are wherever nobody asks for something else.
      process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
        .merging(settings) { $1 }.merging(environment) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = await withCheckedContinuation { continuation in
        // Reading blocks, which the threads of the other tests must not do.
        DispatchQueue.global().async {
          continuation.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile())
        }
      }
      process.waitUntilExit()
      status = process.terminationStatus
      lines = String(decoding: output, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The first line that is asked for, and those up to the next one of the test library's own.
    func block(_ isFirst: (String) -> Bool) -> [String]? {
      guard let start = lines.firstIndex(where: isFirst) else { return nil }
      let rest = lines[(start + 1)...].prefix { !$0.contains(": error: ") && !$0.hasPrefix("Test Case ") }
      return [lines[start]] + rest
    }
  }
#endif
