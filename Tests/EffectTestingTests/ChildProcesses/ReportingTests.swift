// This source file is part of swift-effects. License: Apache-2.0.

// On other systems the first argument of a test process is not the bundle of tests.
#if os(Linux)
  import Foundation
  import Testing

  /// No failure is lost, in either test library: the suites that fail on purpose run in a child process, and these
  /// tests check what it prints and how it ends.
  @Suite struct `Reporting to the test libraries` {
    /// The line of each failing step, and the text that must be printed there.
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

          - 2
          + 1

          If the reducer is right, the closure is: `{ $0 = 1 }`.
          """
        ),
        (
          "unhandled",
          """
          An action was received before finish(), and the test does not say so:

          1 from run(name: "sender") at App/Feature.swift:12

          Write `await store.receive(1) { $0 = 1 }` for it before this step.
          """
        ),
        (
          "inFlight",
          """
          A run is still in flight at the end of the test:

          run(name: "sleeper") at App/Feature.swift:12, caused by -2: asleep for 1.0 seconds more

          Let it end before `finish()`: `store.advance(by: .seconds(1))`, send what cancels it, or cancel what was sent.
          """
        ),
        (
          "finishForgotten",
          """
          The test ended without `await store.finish()`, and not everything was over.

          Arrived, and no `receive` step took it:

          1 from run(name: "sender") at App/Feature.swift:12

          To receive it, write `await store.receive(1) { $0 = 1 }`.

          First receive what arrived. Then write `await store.finish()` as the last step.
          """
        ),
        (
          "fromDetachedTask",
          """
          The state after sending 3 is not what the test expects (- expected, + actual):

          - 4
          + 3

          If the reducer is right, the closure is: `{ $0 = 3 }`.
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

    /// The beginnings of the texts that the scenarios must print. The rest of each text is pinned in the tests of the
    /// texts.
    private static let heads = [
      "stateDiffers": "The state after sending 1 is not what the test expects (- expected, + actual):",
      "unexpectedChange": "The state changed by sending 1, and the test expects no change (- before, + after):",
      "noChange": "The state did not change by sending 0, and the closure of the step changes nothing either.",
      "changedNothing": "The state after sending 0 is not what the test expects (- expected, + actual):",
      "expectationThrew":
        "The closure that says what to expect after sending 1 threw an error, so the state was not compared:",
      "differsLoosely": "The state after sending 1 is not what the test expects (- expected, + actual):",
      "assertionFailed": "The state is not what the test asserts (- asserted, + actual):",
      "assertionThrew": "The closure of `assert` threw an error, so the state was not compared:",
      "otherReceived": "Expected to receive 8, but the next action is another one (- expected, + actual):",
      "tooEarly": "An action was received before send(1), and the test does not say so:",
      "neverIdle": "Expected to receive 7, but no action arrived.",
      "neverAsleep": "Expected to receive 7, but no action arrived.",
      "neverOutside": "Expected to receive 7, but no action arrived.",
      "unhandled": "An action was received before finish(), and the test does not say so:",
      "followUpCycle": "A turn has 1001 actions and still goes on; the last are:",
      "endless": "1000 actions were received before the end of skipReceived(), and the test does not say so:",
      "nothingToSkip": "There is nothing to skip: no action was received.",
      "inFlight": "A run is still in flight at the end of the test:",
      "ignoresCancellation": "A run was cancelled and goes on at the end of the test:",
      "uncaught": "A run threw an error and has no `catch`: Broken()",
      "neverRests":
        "The code of these runs goes on and on without waiting for anything, so this step goes on without them:",
      "stillOutside": "After waiting 0.02 seconds these runs are still suspended outside of the test's control:",
      "sentInFlight": "What was sent has not settled; this run is still in flight:",
      "strangers": "A task still sleeps on the test's clock at the end of the test:",
      "nothingToCancel": "There is nothing to cancel: no run is in flight.",
      "forkInFlight": "A test store cannot be forked while runs are in flight, because runs cannot be copied:",
      "unexpectedDrop": "An action was dropped before finish(), and the test does not say so:",
      "otherDropped": "Expected that this is dropped: 8, but another action was (- expected, + actual):",
      "nothingDropped": "Expected that this is dropped: 7, but no action was.",
      "dropForgotten": "The test ended without `await store.finish()`, and not everything was over.",
      "noStep": "No step was taken, so this test proves nothing.",
      "neverUsed": "No step was taken with this test store before it was released, so it proves nothing.",
      "answerNotRead": "The answer of request(1) was never read, so nothing is proved about it.",
      "receivesNothing": "`receive(unordered:)` names no action, so nothing was received.",
      "nothingToSettle": "There is nothing to settle: no run has been started.",
      "neverStarted": "There is nothing to settle: no run of \"wrok\" has been started.",
      "afterFinish": "send(1) comes after `finish()`, which ends the test. Move it before, or make another store.",
      "finishForgotten": "The test ended without `await store.finish()`, and not everything was over.",
      "backwards": "Time cannot go back to -1.0 seconds: the clock shows 0.0 seconds.",
      "nothingSleeps":
        "There is no next instant: nothing waits for time to pass on the test's clock, which shows 0.0 seconds.",
      "explored":
        "After a reduction `always` does not hold. Found by schedule 1 of the search and shortened from 5 steps to 4.",
      "exploredInside": "After a reduction `always` does not hold.",
      "replayDoesNotFit": "The schedule does not fit: step 2, `e5`, is not possible. Possible are `d`.",
      "neverSettles":
        "`runUntilIdle` has moved the test's clock 3 times, and work still waits for time. The clock shows 3.0 seconds:",
    ]

    /// What is shown, without failing, of a test that does not prove everything.
    private static let notes = [
      "skippedChange": "Not proved, because `exhaustivity` is off: the state changed by sending 1 (- before, + after), "
        + "and only what the closure of the step sets was compared:",
      "skipped": "Not proved, because `exhaustivity` is off: what was received before send(2):",
      "skippedInFlight":
        "Not proved, because `exhaustivity` is off: what was in flight at the end of the test and is cancelled now:",
    ]

    /// The positions of the lines that a scenario's file marks as failing, by the names of the scenarios.
    private func places(_ mark: String) throws -> [String: String] {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("FailingSuites")
      var found: [String: String] = [:]
      for file in ["Scenarios.swift", "Scenarios+Runs.swift", "Scenarios+Explorer.swift"] {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
          guard let range = line.range(of: "// \(mark): ") else { continue }
          found[String(line[range.upperBound...])] = "\(file):\(index + 1)"
        }
      }
      return found
    }

    @Test func `Every way to fail is shown at its line, once, and in the same words by both libraries`() async throws {
      let places = try places("fails")
      #expect(places.keys.sorted() == Self.heads.keys.sorted())
      let swift = try await runTests("--testing-library", "swift-testing", "--filter", "FailingScenarioTests/scenario")
      let xctest = try await runTests("FailingSuites.FailingScenarioXCTests/testScenarios")
      #expect(swift.status != 0 && xctest.status != 0)
      #expect(swift.lines.contains { $0.contains(" failed ") && $0.contains("with \(Self.heads.count) issues") })
      #expect(
        xctest.lines.contains { $0.hasPrefix("Executed 1 test, with \(Self.heads.count) failures (0 unexpected)") })
      for (name, head) in Self.heads {
        let place = try #require(places[name])
        let shown = try #require(
          xctest.block { $0.contains("/\(place): error: FailingScenarioXCTests.testScenarios : failed - ") }, "\(name)")
        var lines = [String(shown[0].split(separator: " : failed - ", maxSplits: 1)[1])] + shown.dropFirst()
        while lines.last == "" { lines.removeLast() }
        #expect(lines.first == head, "\(name)")
        let start = try #require(swift.lines.firstIndex { $0.contains(" at \(place):") }, "\(name)")
        let same = swift.lines[(start + 1)...].prefix(lines.count)
        #expect(same.map { $0.hasPrefix("↳ ") ? String($0.dropFirst(2)) : $0 } == lines, "\(name)")
      }
    }

    @Test func `What was not proved is shown by both libraries, and fails nothing`() async throws {
      let places = try places("shows")
      #expect(places.keys.sorted() == Self.notes.keys.sorted())
      let swift = try await runTests("--testing-library", "swift-testing", "--filter", "FailingScenarioTests/skipped")
      let xctest = try await runTests("FailingSuites.FailingScenarioXCTests/testSkipped")
      #expect(swift.status == 0 && xctest.status == 0)
      for (name, head) in Self.notes {
        let place = try #require(places[name])
        #expect(xctest.lines.contains { $0.hasSuffix("/\(place): note: \(head)") }, "\(name)")
        #if compiler(>=6.3)
          let start = try #require(swift.lines.firstIndex { $0.contains(" at \(place):") }, "\(name)")
          #expect(swift.lines[start].contains("recorded a warning"))
          #expect(swift.lines[start + 1] == "↳ \(head)")
        #else
          #expect(swift.lines.contains { $0.hasSuffix("/\(place): note: \(head)") }, "\(name)")
        #endif
      }
    }

    @Test func `Swift Testing shows every failure at its line and fails`() async throws {
      let child = try await runTests("--testing-library", "swift-testing", "--filter", "FailingSwiftTests")
      #expect(child.status != 0)
      #expect(
        child.lines.contains { $0.contains("Test run with 6 tests in 1 suite failed") && $0.contains("6 issues") })
      for failure in expected([11, 18, 24, 29, 35, 41]) {
        // An issue of a detached task or of a run (rule L6) belongs to no test, and fails the run of all tests.
        let isKnown = !["fromDetachedTask", "expectationInsideARun"].contains(failure.test)
        let test = isKnown ? "\(failure.test)()" : "«unknown»"
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

    private func runTests(_ arguments: String...) async throws -> TestChild { try await TestChild(arguments) }
  }
#endif
