// This source file is part of swift-effects. License: Apache-2.0.

// Elsewhere the first argument of a test process is not the bundle of tests.
#if os(Linux)
  import Dispatch
  import Foundation
  import Testing

  /// That no failure is lost, in either test library: the suites that fail on purpose run in a child process, and what it
  /// prints and how it ends is what counts.
  @Suite struct `Reporting to the test libraries` {
    /// The line of each failing step, and what must be printed there.
    private struct Expected {
      let test: String
      let line: Int
      let text: [String]
    }

    private func expected(_ lines: [Int]) -> [Expected] {
      let texts = [
        (
          "stateDiffers",
          """
          The state after sending 1 is not what the test expects (- expected, + actual):

          self:
          - 2
          + 1

          Change the closure to set what the feature really does, or mend the reducer.
          """
        ),
        (
          "unhandled",
          """
          An action was received before finish(), and the test does not say so:

          1 from run(name: "sender") at App/Feature.swift:12

          Write `await store.receive(…)` for it before this step.
          """
        ),
        (
          "inFlight",
          """
          A run is still in flight at the end of the test:

          run(name: "sleeper") at App/Feature.swift:12, since -2: asleep for 1.0 seconds more

          Let it end before `finish()`: advance the time, send what cancels it, or cancel what was sent.
          """
        ),
        (
          "finishForgotten",
          """
          The test ended without `await store.finish()`, and not everything was over.

          Received and not asserted:

          1 from run(name: "sender") at App/Feature.swift:12

          Assert what was received, let the runs end, and write `await store.finish()` as the last step.
          """
        ),
        (
          "fromDetachedTask",
          """
          The state after sending 3 is not what the test expects (- expected, + actual):

          self:
          - 4
          + 3

          Change the closure to set what the feature really does, or mend the reducer.
          """
        ),
        ("expectationInsideARun", "inside a run"),
      ]
      return zip(texts, lines).map { text, line in
        Expected(
          test: text.0, line: line,
          text: text.1.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      }
    }

    @Test func `Swift Testing shows every failure at its line and fails`() async throws {
      let child = try await runTests("--testing-library", "swift-testing", "--filter", "FailingSuites")
      #expect(child.status != 0)
      #expect(
        child.lines.contains { $0.contains("Test run with 6 tests in 1 suite failed") && $0.contains("6 issues") })
      for failure in expected([11, 18, 24, 29, 35, 41]) {
        // An issue of a detached task belongs to no test, and fails the run.
        let test = failure.test == "fromDetachedTask" ? "«unknown»" : "\(failure.test)()"
        let head = "Test \(test) recorded an issue at FailingSwiftTests.swift:\(failure.line):"
        let start = try #require(child.lines.firstIndex { $0.contains(head) }, "\(head)")
        var text = child.lines[(start + 1)...].prefix(failure.text.count)
        text = text.map { $0.hasPrefix("↳ ") ? String($0.dropFirst(2)) : $0 }[...]
        #expect(Array(text) == failure.text)
      }
    }

    @Test func `XCTest shows every failure at its line and fails`() async throws {
      let child = try await runTests("FailingSuites.FailingXCTests")
      #expect(child.status != 0)
      #expect(child.lines.contains { $0.hasPrefix("Executed 6 tests, with 6 failures (0 unexpected)") })
      for failure in expected([14, 21, 27, 32, 38, 44]) {
        let name = failure.test.prefix(1).uppercased() + failure.test.dropFirst()
        let head = "FailingXCTests.swift:\(failure.line): error: FailingXCTests.test\(name) : failed - "
        let start = try #require(child.lines.firstIndex { $0.contains(head) }, "\(head)")
        var text = Array(child.lines[start...].prefix(failure.text.count))
        text[0] = String(text[0].split(separator: " : failed - ", maxSplits: 1)[1])
        #expect(text == failure.text)
      }
    }

    private struct Child {
      let status: Int32
      /// What it printed, without indentation.
      let lines: [String]
    }

    /// Runs the bundle this test is in once more, with other arguments.
    private func runTests(_ arguments: String...) async throws -> Child {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = arguments
      // Whatever terminal the tests run in, text and not colours.
      let settings = ["EFFECTS_FAIL_ON_PURPOSE": "1", "NO_COLOR": "1", "TERM": "dumb"]
      process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
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
      let lines = String(decoding: output, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      return Child(status: process.terminationStatus, lines: lines)
    }
  }
#endif
