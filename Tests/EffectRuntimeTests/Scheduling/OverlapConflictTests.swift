// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

@Suite struct OverlapConflictTests {
  /// Two lines; the line of a run is where it is built.
  private func restart(_ ledger: Ledger, _ name: String) -> Effect<String> {
    .run(id: "x", overlap: .restart, name: name, line: 10) { _ in }
  }
  private func plain(_ ledger: Ledger, _ name: String) -> Effect<String> {
    .run(id: "x", overlap: .concurrent, name: name, line: 20) { _ in }
  }

  @Test func `Two overlaps under one id are reported with both lines, once a pair (O1)`() throws {
    let harness = SchedulerHarness()
    harness.perform { restart($0, "a") }
    harness.perform { plain($0, "b") }
    let failure = try #require(harness.conflicts.first)
    let conflict = try #require(failure.error as? OverlapConflict)
    #expect((failure.run.name, conflict.newer.name, conflict.older.name) == ("b", "b", "a"))
    #expect(
      "\(failure)" == """
        EffectRuntimeTests/OverlapConflictTests.swift:20: run("x", name: "b") met run("x", name: "a", overlap: restart) of \
        EffectRuntimeTests/OverlapConflictTests.swift:10: two overlaps under one id, concurrent and restart. \
        The overlap of the last to arrive is applied, so the result depends on their order. Use one overlap for an id, or two \
        ids.
        """)
    for number in 0..<10 {
      harness.perform { restart($0, "a\(number)") }
      harness.perform { plain($0, "b\(number)") }
    }
    #expect(harness.conflicts.count == 1, "whichever came first")
    harness.perform { _ in .run(id: "x", overlap: .drop, name: "c", line: 30) { _ in } }
    #expect(harness.conflicts.count == 3, "another pair with each of the two lines")
  }

  @Test func `Another limit or another bound is no conflict, nor is work that has settled (O1)`() {
    let harness = SchedulerHarness()
    let overlaps: [Overlap] = [
      .enqueue, .enqueue(limit: 2, capacity: 3), .enqueue(exclusive: true), .enqueue(limit: 9),
    ]
    for (number, overlap) in overlaps.enumerated() {
      harness.perform { $0.run("r\(number)", id: "x", overlap: overlap) }
    }
    harness.perform { _ in .cancel(id: "x") }
    // They have not returned, and none of their actions is reduced any more.
    harness.perform { $0.run("last", id: "x", overlap: .restart) }
    harness.perform { $0.run("elsewhere", id: "y", overlap: .drop) }
    #expect(harness.conflicts.isEmpty)
  }

  @Test func `A run that waits, is ignored or joins is compared as well, and so is a tree (O1)`() {
    for (first, second) in [
      (Overlap.enqueue, Overlap.drop), (.drop, .join), (.join, .keepLatest), (.restart(exclusive: true), .enqueue),
    ] {
      let harness = SchedulerHarness()
      for name in ["a", "b"] { harness.perform { $0.run(name, id: "x", overlap: first) } }
      harness.perform { $0.run("c", id: "x", overlap: second) }
      #expect(harness.conflicts.count == 1, "\(first), \(second)")
    }
    let harness = SchedulerHarness()
    harness.perform { restart($0, "inner").scoped("s") { $0 }.cancellable(id: "x", overlap: .concurrent, line: 40) }
    #expect(harness.conflicts.isEmpty)
    harness.perform { restart($0, "outer") }
    #expect(harness.conflicts.map(\.run.site.line) == [10])
    let older = harness.conflicts.compactMap { ($0.error as? OverlapConflict)?.older.site.line }
    #expect(older == [40])
  }

  private func work(_ overlap: Overlap, line: UInt) -> Effect<String> {
    .run(id: "x", overlap: overlap, line: line) { _ in }
  }

  private func pairs(_ harness: SchedulerHarness) -> [[Int]] {
    harness.conflicts.compactMap { failure in
      (failure.error as? OverlapConflict).map { [$0.newer.site.line, $0.older.site.line] }
    }
  }

  @Test func `What arrives is compared with all work of the id, not with the newest alone (O1)`() {
    let harness = SchedulerHarness()
    harness.perform { _ in work(.enqueue, line: 10) }
    harness.perform { _ in work(.drop, line: 20) }
    #expect(pairs(harness) == [[20, 10]])
    // Like the one before it, and unlike the one that is active.
    harness.perform { _ in work(.drop, line: 30) }
    #expect(pairs(harness) == [[20, 10], [30, 10]])
    harness.perform { _ in work(.enqueue, line: 10) }
    harness.perform { _ in work(.drop, line: 20) }
    harness.perform { _ in work(.drop, line: 30) }
    #expect(pairs(harness).count == 2, "each pair of lines once")
    harness.perform { _ in work(.keepLatest, line: 40) }
    harness.perform { _ in work(.keepLatest, line: 50) }
    #expect(pairs(harness).suffix(2) == [[40, 10], [50, 10]])
    harness.perform { _ in .cancel(id: "x") }
    harness.perform { _ in work(.drop, line: 60) }
    #expect(pairs(harness).count == 4, "nothing of another kind is active or waits")
  }

  @Test func `What arrives is reported with every line of another kind, each pair once (O1)`() {
    let harness = SchedulerHarness()
    for line in [10, 11, 12, 11] as [UInt] { harness.perform { _ in work(.concurrent, line: line) } }
    for _ in 0..<5 { harness.perform { _ in work(.drop, line: 20) } }
    #expect(pairs(harness) == [[20, 10], [20, 11], [20, 12]])
    harness.perform { _ in work(.concurrent, line: 13) }
    #expect(pairs(harness).count == 3, "what was ignored is no longer compared")
  }

  @Test func `What replaced all work of another kind is what later work is compared with (O1)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("a", id: "x", overlap: .enqueue) }
    harness.perform { _ in .run(id: "x", overlap: .restart, name: "b", line: 10) { _ in } }
    #expect(harness.conflicts.count == 1)
    harness.perform { _ in .run(id: "x", overlap: .restart, name: "again", line: 10) { _ in } }
    #expect(harness.conflicts.count == 1)
    harness.perform { _ in .run(id: "x", overlap: .enqueue, name: "c", line: 30) { _ in } }
    #expect(harness.conflicts.count == 2)
  }

  @Test func `Work that waits for its time or its turn is compared as well, and work that has left is not (O1, C2)`() {
    let harness = SchedulerHarness()
    harness.perform { _ in work(.enqueue, line: 10).delay(for: .milliseconds(10)) }
    harness.perform { _ in work(.drop, line: 20) }
    #expect(pairs(harness) == [[20, 10]])
    harness.advance(to: 10)
    #expect(pairs(harness) == [[20, 10]], "it was compared when it was requested")
    harness.perform { _ in work(.enqueue, line: 30) }
    #expect(pairs(harness) == [[20, 10], [30, 20]])
    harness.perform { _ in .cancel(id: "x") }
    harness.perform { _ in work(.enqueue(capacity: 1, whenFull: .dropOldest), line: 40) }
    harness.perform { _ in work(.enqueue(capacity: 1, whenFull: .dropOldest), line: 50) }
    harness.perform { _ in work(.restart, line: 60).debounce(for: .milliseconds(10)) }
    #expect(pairs(harness).suffix(2) == [[60, 40], [60, 50]], "which it replaces")
    harness.perform { _ in work(.enqueue, line: 70).debounce(for: .milliseconds(10)) }
    harness.perform { _ in work(.enqueue, line: 80) }
    #expect(pairs(harness).count == 4, "the debounce has dropped the one of another kind")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `The reports equal those of a comparison with each piece of work, in random programs (O1)`(seed: UInt64) {
    let overlaps: [(line: UInt, overlap: Overlap)] = [
      (10, .concurrent), (20, .enqueue), (21, .enqueue(limit: 2)), (30, .drop), (40, .restart(limit: 2)),
      (50, .keepLatest),
    ]
    var numbers = Numbers(seed: seed)
    let harness = SchedulerHarness()
    var expected: [Set<UInt>] = []
    for number in 0..<200 {
      let present = harness.members(of: "x")
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: harness.perform { _ in .cancel(id: "x") }
      case 1, 2, 3: if let run = present.running.randomElement(using: &numbers) { harness.end(run) }
      default:
        let (line, overlap) = overlaps[Int.random(in: 0..<overlaps.count, using: &numbers)]
        for name in present.running + present.queued {
          guard let older = UInt(name.prefix { $0 != "#" }), let other = overlaps.first(where: { $0.line == older }),
            other.overlap.name != overlap.name, !expected.contains([line, older])
          else { continue }
          expected.append([line, older])
        }
        harness.perform { _ in .run(id: "x", overlap: overlap, name: "\(line)#\(number)", line: line) { _ in } }
      }
      #expect(Set(pairs(harness).map { Set($0.map(UInt.init)) }) == Set(expected))
    }
    #expect(pairs(harness).count == expected.count, "each pair once")
    #expect(expected.count > 5)
    harness.perform { _ in .cancel(id: "x") }
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }
}
