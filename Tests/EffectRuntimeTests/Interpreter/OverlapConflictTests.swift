// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct OverlapConflictTests {
  /// Two lines; a run's line is where it is built.
  private func restart(_ ledger: Ledger, _ name: String) -> Effect<String> {
    .run(id: "x", overlap: .restart, name: name, line: 10) { _ in }
  }
  private func plain(_ ledger: Ledger, _ name: String) -> Effect<String> {
    .run(id: "x", overlap: .concurrent, name: name, line: 20) { _ in }
  }

  @Test func `Two kinds of overlap under one id are reported with both lines, once a pair (O1)`() throws {
    let harness = InterpreterHarness()
    harness.perform { restart($0, "a") }
    harness.perform { plain($0, "b") }
    let failure = try #require(harness.conflicts.first)
    let conflict = try #require(failure.error as? OverlapConflict)
    #expect((failure.run.name, conflict.newer.name, conflict.older.name) == ("b", "b", "a"))
    #expect(
      "\(failure)" == """
        EffectRuntimeTests/OverlapConflictTests.swift:20: run("x", name: "b") met run("x", name: "a", overlap: restart) of \
        EffectRuntimeTests/OverlapConflictTests.swift:10: two kinds of overlap under one id, concurrent and restart. \
        Which of them decides depends on who comes last. Use one kind for an id, or two ids.
        """)
    for number in 0..<10 {
      harness.perform { restart($0, "a\(number)") }
      harness.perform { plain($0, "b\(number)") }
    }
    #expect(harness.conflicts.count == 1, "whichever came first")
    harness.perform { _ in .run(id: "x", overlap: .drop, name: "c", line: 30) { _ in } }
    #expect(harness.conflicts.count == 2, "another pair")
  }

  @Test func `Another limit or another bound is no conflict, nor is work that has settled (O1)`() {
    let harness = InterpreterHarness()
    let overlaps: [Overlap] = [
      .enqueue, .enqueue(limit: 2, capacity: 3), .enqueue(exclusive: true), .enqueue(limit: 9),
    ]
    for (number, overlap) in overlaps.enumerated() {
      harness.perform { $0.run("r\(number)", id: "x", overlap: overlap) }
    }
    harness.perform { _ in .cancel(id: "x") }
    // They have not returned, and none of their actions counts any more.
    harness.perform { $0.run("last", id: "x", overlap: .restart) }
    harness.perform { $0.run("elsewhere", id: "y", overlap: .drop) }
    #expect(harness.conflicts.isEmpty)
  }

  @Test func `Who waits, who is ignored, who joins and a tree meet as well (O1)`() {
    for (first, second) in [
      (Overlap.enqueue, Overlap.drop), (.drop, .join), (.join, .keepLatest), (.restart(exclusive: true), .enqueue),
    ] {
      let harness = InterpreterHarness()
      for name in ["a", "b"] { harness.perform { $0.run(name, id: "x", overlap: first) } }
      harness.perform { $0.run("c", id: "x", overlap: second) }
      #expect(harness.conflicts.count == 1, "\(first), \(second)")
    }
    let harness = InterpreterHarness()
    harness.perform { restart($0, "inner").scoped("s") { $0 }.cancellable(id: "x", overlap: .concurrent, line: 40) }
    #expect(harness.conflicts.isEmpty)
    harness.perform { restart($0, "outer") }
    #expect(harness.conflicts.map(\.run.site.line) == [10])
    let older = harness.conflicts.compactMap { ($0.error as? OverlapConflict)?.older.site.line }
    #expect(older == [40])
  }
}
