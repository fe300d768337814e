// This source file is part of swift-effects. License: Apache-2.0.

// On other systems the first argument of a test process is not the bundle of tests.
#if os(Linux)
  import Dispatch
  import Foundation

  /// The bundle of tests, run again in a separate process, with the suites that fail on purpose.
  struct TestChild {
    let status: Int32
    /// What it printed, without indentation.
    let lines: [String]

    /// Runs it with arguments, after a command in front of it if one is given.
    init(_ arguments: [String], behind command: [String] = [], environment: [String: String] = [:]) async throws {
      let process = Process()
      let words = command + [CommandLine.arguments[0]] + arguments
      process.executableURL = URL(fileURLWithPath: words[0])
      process.arguments = Array(words.dropFirst())
      // Text without colours, in any terminal.
      let settings = ["EFFECTS_FAIL_ON_PURPOSE": "1", "NO_COLOR": "1", "TERM": "dumb"]
      // Each process seeds its hashes differently, which is the default.
      process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
        .merging(settings) { $1 }.merging(environment) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = await withCheckedContinuation { continuation in
        // Reading blocks the thread, which must not happen to the threads of the other tests.
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

    /// The first line that is searched for, and the lines up to the next one of the test library itself.
    func block(_ isFirst: (String) -> Bool) -> [String]? {
      guard let start = lines.firstIndex(where: isFirst) else { return nil }
      let rest = lines[(start + 1)...].prefix { !$0.contains(": error: ") && !$0.hasPrefix("Test Case ") }
      return [lines[start]] + rest
    }
  }
#endif
