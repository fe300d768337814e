// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectTesting

/// The log of an exploration whose process ended in the middle of it.
struct ScheduleLogTests {
  /// Two loads. The second must not answer first.
  private static func loading(
    _ schedule: Exploration.Schedule, _ trap: @escaping @Sendable () -> Void
  ) {
    let isUp = schedule.choose(2) == 1
    let run = schedule.store(
      initialState: 0,
      reducer: Planted<Int, Int> { state, action in
        if action == 0 { return .merge(.run { send in send(1) }, .run { send in send(2) }) }
        if isUp, state == 0, action == 2 { trap() }
        state = action
        return .none
      })
    run.send(0)
  }

  private static func directory() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("effects-\(UUID().uuidString)").path
  }

  private static func files(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).map { "\(directory)/\($0)" }
  }

  @Test(arguments: ["standard", "depthFirst"])
  func `A schedule in which a reducer traps is left in a file, and replays to the same trap`(search: String)
    async throws
  {
    let directory = Self.directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    await #expect(processExitsWith: .failure) { [directory = directory as String, search] in
      unsafe setenv("EFFECTS_EXPLORE_LOG", directory, 1)
      await explore(
        options: .init(search: search == "standard" ? .levels(upTo: .steps) : .full(.timers)),
        fileID: "App/FeedTests.swift",
        line: 12
      ) { schedule in
        Self.loading(schedule) { fatalError("the second first") }
      }
    }
    let file = try #require(Self.files(in: directory).first)
    #expect(file.contains("/FeedTests.swift-12-"))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.first == "This schedule was running when the process of App/FeedTests.swift:12 ended:")
    let call = try #require(lines.last)
    #expect(
      lines.count == 2 && call.hasPrefix("  explore(…, replaying: \"")
        && call.hasSuffix("\")"))
    let line = String(call.split(separator: "\"")[1])
    #expect(search == "standard" || line == "timers: c1 u e1")
    let traps = Tally()
    await explore(replaying: line) { schedule in
      Self.loading(schedule) { traps.increment() }
    }
    #expect(traps.value == 1)
  }

  @Test func `An exploration that ends normally leaves no file`() async throws {
    let directory = Self.directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      unsafe setenv("EFFECTS_EXPLORE_LOG", directory, 1)
      var seen = 0
      await explore(options: .init(search: .full(.deliveries))) { schedule in
        seen = max(seen, Self.files(in: directory).count)
        Self.loading(schedule) {}
      }
      exit(seen == 1 && Self.files(in: directory).isEmpty ? 0 : 1)
    }
  }

  @Test func `A directory that cannot be written to is a failure, and is not ignored`() async throws {
    await #expect(processExitsWith: .success) {
      unsafe setenv("EFFECTS_EXPLORE_LOG", "/dev/null/none", 1)
      let failures = await reportedFailures {
        await explore(options: .init(search: .full(.deliveries))) { Self.loading($0) {} }
      }
      #expect(
        failures == [
          "`EFFECTS_EXPLORE_LOG` asks for schedules to be written to `/dev/null/none`, and no file can be made there."
        ])
    }
  }
}
