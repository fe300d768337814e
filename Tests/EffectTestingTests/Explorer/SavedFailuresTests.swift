// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectTesting

/// Schedules that failed in one run and are tried first in the next.
@Suite struct SavedFailuresTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("effects-\(UUID().uuidString)").path
  private let location = TestLocation(fileID: "App/FeedTests.swift", filePath: "", line: 12, column: 1)

  private var saved: SavedFailures { SavedFailures(in: directory, at: location) }

  /// Two digits are appended; with `isBroken` the second must not come first.
  private func search(
    isBroken: Bool, schedules: Int = 1_000, sends: Int = 1, steps: Int = 1_000
  ) async -> (Explorer, [String]) {
    var search = SavedSearch(saved) {
      Explorer(
        budget: schedules, search: .full(.timers), seed: 1, settings: .init(stepLimit: steps))
    }
    func body(_ schedule: Exploration.Schedule) {
      let script = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          if action == 0 { return .merge([1, 2].map { digit in .run { send in send(digit) } }) }
          state = state * 10 + action
          return .none
        }, always: { !isBroken || $0 != 21 })
      for _ in 0..<sends { script.send(0) }
    }
    let explorer = await search.search { body($0) }
    return (explorer, search.notes)
  }

  private func removed() { try? FileManager.default.removeItem(atPath: directory) }

  @Test func `A failing schedule is saved, and is the first and only schedule of the next run`() async {
    defer { removed() }
    let (first, _) = await search(isBroken: true)
    #expect(first.result.schedules > 1)
    #expect(saved.path == directory + "/App-FeedTests.swift-12.txt")
    #expect(saved.schedules == [first.result.failure])
    let (second, notes) = await search(isBroken: true)
    #expect(second.result.schedules == 1 && second.result.failure == first.result.failure && notes.isEmpty)
    #expect(second.failureText?.hasPrefix("After a reduction `always` does not hold.") == true)
    #expect(
      second.failureText?.hasSuffix(
        "An earlier run has saved this schedule in `\(saved.path)`, so it was run first. There was no search.") == true)
  }

  @Test func `A saved schedule that passes is kept, and the search follows`() async {
    defer { removed() }
    let (first, _) = await search(isBroken: true)
    let (fixed, notes) = await search(isBroken: false)
    #expect(fixed.failureText == nil && fixed.result.completeLevel == .timers && notes.isEmpty)
    #expect(saved.schedules == [first.result.failure])
    let (again, _) = await search(isBroken: true)
    #expect(again.result.schedules == 1)
  }

  @Test func `What a saved schedule shows about the runs is known in the next one`() async {
    defer { removed() }
    var begun = 0
    func body(_ schedule: Exploration.Schedule, always: (([Int]) -> Bool)? = nil) {
      begun += 1
      let script = schedule.store(
        initialState: [],
        reducer: Reduce<[Int], Int> { state, action in
          if action > 0 { state.append(action) }
          guard action == 0 else { return .none }
          return .merge(
            .run { send in
              send(1)
              send(2)
            },
            .run { send in send(3) })
        }, always: always)
      script.send(0)
    }
    for order in [[1, 3, 2], [3, 1, 2]] {
      let found = await Account(search: .full(.steps)) { schedule in body(schedule) { $0 != order } }
      #expect(saved.add(found.result.failure ?? ""))
    }
    begun = 0
    var replayed = 0
    var search = SavedSearch(saved) {
      // The last explorer is that of the search.
      replayed = begun
      return Explorer(budget: 1, search: .full(.steps), seed: 1, settings: ScheduleRunner.Settings())
    }
    _ = await search.search { body($0) }
    #expect(saved.schedules.count == 2)
    // The first one is begun once more, because a job could not stop between two actions.
    #expect(replayed == 3)
  }

  @Test func `A saved schedule that does not fit any more is removed with a note, and the search follows`() async {
    defer { removed() }
    #expect(saved.add("u d e0 e7 d"))
    let (explorer, notes) = await search(isBroken: false)
    #expect(explorer.failureText == nil && explorer.result.schedules > 1)
    #expect(
      notes == [
        "`u d e0 e7 d`, which an earlier run has saved, does not fit the code any more. It was removed from `\(saved.path)`."
      ])
    #expect(saved.schedules.isEmpty && !FileManager.default.fileExists(atPath: saved.path))
  }

  @Test func `A saved schedule is kept if the limits prevent its replay`() async {
    defer { removed() }
    let (first, _) = await search(isBroken: true)
    for (schedules, steps) in [(0, 1_000), (1_000, 0), (1_000, 1)] {
      let (_, notes) = await search(isBroken: false, schedules: schedules, steps: steps)
      #expect(notes.isEmpty && saved.schedules == [first.result.failure], "\(schedules) schedules, \(steps) steps")
    }
  }

  @Test func `A cancelled task runs no saved schedule`() async {
    defer { removed() }
    let (first, _) = await search(isBroken: true)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await search(isBroken: true).0.result.schedules
    }
    task.cancel()
    let cancelled = await task.value
    #expect(cancelled == 0)
    #expect(saved.schedules == [first.result.failure])
  }

  @Test func `Schedules that are saved at once are all kept`() async {
    defer { removed() }
    let all = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<SavedFailures.limit { group.addTask { [saved] in saved.add("u e\(number)") } }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(all)
    #expect(Set(saved.schedules) == Set((0..<SavedFailures.limit).map { "u e\($0)" }))
  }

  @Test func `Text that is not a schedule is removed as well`() async throws {
    defer { removed() }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data([0xFF, 0x00, 0x0A, 0x71]).write(to: URL(fileURLWithPath: saved.path))
    let (explorer, notes) = await search(isBroken: false)
    #expect(explorer.failureText == nil && notes.count == 2)
    #expect(saved.schedules.isEmpty)
  }

  @Test func `A file keeps the newest schedules, each once`() {
    defer { removed() }
    for number in 0..<30 { #expect(saved.add("u e\(number)")) }
    #expect(saved.add("u e29"))
    #expect(saved.schedules == (10..<30).map { "u e\($0)" })
    #expect(saved.remove("u e29"))
    #expect(saved.schedules.count == 19)
  }

  #if os(Linux)
    @Test func `A file that was written is closed`() throws {
      defer { removed() }
      #expect(saved.add("u d"))
      #expect(saved.add("u e0"))
      let name = URL(fileURLWithPath: directory).lastPathComponent
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      }
      #expect(!open.isEmpty)
      #expect(open.filter { $0.contains(name) } == [])
    }
  #endif

  @Test func `A schedule that cannot be saved is noted, and the failure is the same`() async throws {
    defer { removed() }
    try Data().write(to: URL(fileURLWithPath: directory))
    let (explorer, notes) = await search(isBroken: true)
    #expect(explorer.failureText?.hasPrefix("After a reduction `always` does not hold.") == true)
    #expect(
      notes == [
        "`EFFECTS_EXPLORE_FAILURES` is set, so that failing schedules are saved, and `\(saved.path)` cannot be written."
      ])
  }

  @Test func `A search that proves nothing saves no schedule`() async {
    defer { removed() }
    let (explorer, notes) = await search(isBroken: true, sends: 0)
    #expect(explorer.failureText?.hasPrefix("The script sends nothing") == true)
    #expect(notes.isEmpty && saved.schedules.isEmpty)
  }

  @Test func `The directory comes from the environment`() async {
    defer { removed() }
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      unsafe setenv("EFFECTS_EXPLORE_FAILURES", directory, 1)
      let failures = await reportedFailures {
        await explore(
          initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }, fileID: "App/FeedTests.swift", line: 12
        ) {
          $0.send(1)
        } always: { _ in
          false
        }
      }
      #expect(!failures.isEmpty)
    }
    #expect(saved.schedules == ["u d"])
  }
}
