// This source file is part of swift-effects. License: Apache-2.0.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A schedule depends only on its line: not on a hash seed, an address, the number of cores or the time of day.
  struct ElsewhereTests {
    @Test func `A failure has the same text and the same line in every process`() async throws {
      var children: [[String]] = []
      // Sets have another order in each process. If that order affected a schedule, the processes would hardly agree.
      for _ in 1...TestSize.of(3, short: 1) { children.append(try await failures()) }
      children.append(try await failures(environment: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"]))
      let taskset = "/usr/bin/taskset"
      if TestSize.isLong, FileManager.default.isExecutableFile(atPath: taskset) {
        children.append(try await failures(behind: [taskset, "-c", "0"]))
      }
      let first = try #require(children.first)
      #expect(first.count { $0.contains("replaying: \"") } == 4, "\(first.joined(separator: "\n"))")
      for other in children.dropFirst() { #expect(other == first) }
    }

    /// The texts of the four failures of a process.
    private func failures(behind command: [String] = [], environment: [String: String] = [:]) async throws -> [String] {
      let child = try await TestChild(
        ["--testing-library", "swift-testing", "--filter", "ExploredElsewhere"], behind: command,
        environment: environment)
      #expect(child.status != 0)
      return child.lines.filter { line in !line.contains(" after ") && !line.contains("started") }
    }
  }
#endif
