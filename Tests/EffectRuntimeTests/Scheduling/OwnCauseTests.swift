// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// Work that is blocked by the run whose action starts it (rule O4).
@Suite struct OwnCauseTests {
  private func harness(_ overlap: Overlap) -> SchedulerHarness {
    SchedulerHarness { _, action in
      .run(id: "page", overlap: overlap, input: "feed", name: action, line: 20) { _, _ in }
    }
  }

  private func first(_ harness: SchedulerHarness, _ overlap: Overlap) {
    harness.perform { _ in .run(id: "page", overlap: overlap, input: "feed", name: "first", line: 10) { _, _ in } }
  }

  private func problems(_ harness: SchedulerHarness) -> [OverlapConflict.Problem] {
    harness.conflicts.compactMap { ($0.error as? OverlapConflict)?.problem }
  }

  @Test(arguments: [Overlap.drop, .enqueue(capacity: 0), .join, .drop(exclusive: true)])
  func `Work that is dropped, or joins, because the run that causes it holds the slot is reported once (O4)`(
    _ overlap: Overlap
  ) throws {
    let harness = harness(overlap)
    first(harness, overlap)
    harness.send("next", by: "first")
    harness.send("next again", by: "first")
    #expect(problems(harness) == [.ownCause])
    let conflict = try #require(harness.conflicts.first?.error as? OverlapConflict)
    #expect(conflict.newer.site.line == 20 && conflict.older.site.line == 10)
    harness.end("first")
    harness.expectEmpty()
  }

  @Test(arguments: [Overlap.restart, .enqueue, .keepLatest, .concurrent, .drop(limit: 2), .enqueue(capacity: 1)])
  func `Work that starts or waits is not reported (O4)`(_ overlap: Overlap) {
    let harness = harness(overlap)
    first(harness, overlap)
    harness.send("next", by: "first")
    #expect(problems(harness) == [])
    while let run = harness.executingInOrder.first { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Work of another cause that is dropped is not reported (O4)`() {
    let harness = harness(.drop)
    first(harness, .drop)
    harness.send("by the user")
    harness.perform { $0.run("other") }
    harness.send("by another run", by: "other")
    #expect(problems(harness) == [])
    harness.end("first")
    harness.end("other")
    harness.expectEmpty()
  }

  @Test func `A tree around the run that causes the work holds the slot as well (O4)`() {
    let harness = harness(.drop)
    harness.perform {
      .merge($0.run("inside"), $0.run("beside")).cancellable(id: "page", overlap: .drop, line: 10)
    }
    harness.send("next", by: "inside")
    #expect(problems(harness) == [.ownCause])
    for run in ["inside", "beside"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A follow-up of the turn counts as caused by the run (O4)`() {
    let harness = SchedulerHarness { _, action in
      action == "loaded"
        ? .send("load") : .run(id: "page", overlap: .drop, name: action, line: 20) { _ in }
    }
    first(harness, .drop)
    harness.send("loaded", by: "first")
    #expect(problems(harness) == [.ownCause])
    #expect(
      "\(harness.conflicts[0])" == """
        EffectRuntimeTests/OwnCauseTests.swift:20: run("page", name: "load", overlap: drop) was started by an action of \
        run("page", input: "feed", name: "first", overlap: drop) of EffectRuntimeTests/OwnCauseTests.swift:10: the run that \
        causes it holds the slot, so it was dropped. Use `.restart` (the run is replaced), `.enqueue` or `.keepLatest` (the new \
        run waits until it has ended), or another id.
        """)
    harness.end("first")
    harness.expectEmpty()
  }
}
